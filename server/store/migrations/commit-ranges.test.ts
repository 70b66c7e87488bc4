import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import { silentLog } from '#server/runtime/log.ts';
import { noon } from '#test/contract/store-records.ts';
import { openSqliteReader } from '../sqlite/reading/reader.ts';
import { openSqliteWriter } from '../sqlite/writing/writer.ts';
import { commitRanges } from './0010-commit-ranges.ts';
import { migrations } from './index.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-ranges-'));
  path = join(directory, 'plumbline.db');
});

afterEach(() => rmSync(directory, { recursive: true }));

/** One change of verdict; `uid` where it was of another object of the same name. */
type Change = readonly [
  verdict: string,
  reason: string,
  attempted: string | null,
  more?: { readonly cause?: string; readonly uid?: string },
];

/** What a former version wrote of one object: changes of verdict, a minute apart, and the incident that it made of them. */
interface Before {
  readonly changes: readonly Change[];
  /** The places of the changes with which it began and ended; `ended` is absent where it lasts. */
  readonly began: number;
  readonly ended?: number;
  readonly firstBad: string | null;
  readonly lastGood: string | null;
}

/** A store of the version before with these objects. */
function formerStore(objects: readonly Before[]): void {
  const database = new DatabaseSync(path);
  for (const step of migrations) if (step.version < commitRanges.version) database.exec(step.sqlite);
  database.exec(`
    INSERT INTO store (id) VALUES ('old');
    INSERT INTO cluster (id, name) VALUES (1, 'c1');
    INSERT INTO head (cluster) VALUES (1);
    INSERT INTO name (id, text) VALUES (1, 'kustomize.toolkit.fluxcd.io/Kustomization'), (2, 'flux-system');
    PRAGMA user_version = ${commitRanges.version - 1};
  `);
  const addText = database.prepare('INSERT INTO text (text) VALUES (?)');
  const text = (value: string | null): number | null =>
    value === null ? null : Number(addText.run(value).lastInsertRowid);
  const addObject = database.prepare('INSERT INTO object (id, cluster, kind, namespace, name) VALUES (?, 1, 1, 2, ?)');
  const addChange = database.prepare(
    `INSERT INTO transition (object, cluster, at, noticed_at, bound, from_verdict, to_verdict, uid, reason, message, attempted, root_cause)
     VALUES (?, 1, ?, ?, 'exact', '', ?, ?, ?, 0, ?, ?)`,
  );
  const addIncident = database.prepare(
    `INSERT INTO incident (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason, first_bad, last_good)
     VALUES (?, 1, 'u', ?, 'exact', ?, ?, ?, 'diverged', 1, ?, ?)`,
  );
  text('why');
  // All at the same time: what is said of one is not taken for another's.
  const at = (place: number): number => noon + place * 60_000;
  for (const [index, { changes, began, ended, firstBad, lastGood }] of objects.entries()) {
    const id = index + 1;
    addObject.run(id, `app-${id}`);
    for (const [place, [verdict, reason, attempted, { cause, uid } = {}]] of changes.entries())
      addChange.run(id, at(place), at(place), verdict, uid ?? 'u', text(reason), text(attempted), text(cause ?? null));
    const over = ended === undefined ? [null, null] : [at(ended), 'converged'];
    addIncident.run(id, at(began), at(began), ...over, text(firstBad), text(lastGood));
  }
  database.close();
}

async function ranges(): Promise<readonly (CommitRange | null)[]> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writer.close();
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const period = { from: 0, to: noon + 365 * 86_400_000 };
  const { items } = await reader.record.incidents({ clusters: null }, period, {
    order: 'newest',
    cursor: null,
    limit: 100,
  });
  await reader.close();
  const number = ({ ref }: (typeof items)[number]): number => Number(ref.name.slice('app-'.length));
  return items.toSorted((one, other) => number(one) - number(other)).map(({ range }) => range);
}

const main = (commit: string | undefined): string => `main@sha1:${commit}`;
const unwatched = { seenBetween: null, watched: false };

it('an incident of before says no more than its record proves', async () => {
  const ok = 'ReconciliationSucceeded';
  formerStore([
    // It worked at a, and its first attempt that failed was at b.
    {
      changes: [
        ['converged', ok, main(a)],
        ['diverged', 'BuildFailed', main(b)],
      ],
      ...{ began: 1, firstBad: main(b), lastGood: a ?? null },
    },
    // It left converged because its controller was dead, at the commit that worked: that was called the first bad one.
    {
      changes: [
        ['converged', ok, main(a)],
        ['stale', 'ControllerDead', main(a)],
        ['diverged', 'BuildFailed', main(c)],
      ],
      ...{ began: 1, firstBad: main(a), lastGood: a ?? null },
    },
    // What stood there before was not known to work.
    {
      changes: [
        ['suspended', 'Suspended', main(a)],
        ['unhealthy', 'HealthCheckFailed', main(b)],
      ],
      ...{ began: 1, firstBad: main(b), lastGood: a ?? null },
    },
    // Never an attempt that failed: a part of it is missing, another object is the cause, it was behind.
    {
      changes: [
        ['converged', ok, main(a)],
        ['diverged', 'PartMissing', main(a)],
      ],
      ...{ began: 1, firstBad: main(a), lastGood: a ?? null },
    },
    {
      changes: [
        ['converged', ok, main(a)],
        ['unhealthy', 'HealthCheckFailed', main(b), { cause: '{"type":"cluster"}' }],
      ],
      ...{ began: 1, firstBad: main(b), lastGood: a ?? null },
    },
    {
      changes: [
        ['converged', ok, main(a)],
        ['behind', 'Behind', main(a)],
      ],
      ...{ began: 1, firstBad: main(a), lastGood: a ?? null },
    },
    // The version of a chart is compared with no commit.
    {
      changes: [
        ['converged', 'UpgradeSucceeded', '6.4.0'],
        ['diverged', 'UpgradeFailed', '6.5.0'],
      ],
      ...{ began: 1, firstBad: '6.5.0', lastGood: a ?? null },
    },
    // It failed where it had worked: no commit is the cause.
    {
      changes: [
        ['converged', ok, main(a)],
        ['diverged', 'ReconciliationFailed', main(a)],
      ],
      ...{ began: 1, firstBad: main(a), lastGood: a ?? null },
    },
    // Nothing of the time before is kept.
    { changes: [['diverged', 'BuildFailed', main(b)]], began: 0, firstBad: main(b), lastGood: null },
    // While it was progressing, or blocked, the reason was that of an attempt that might yet succeed.
    {
      changes: [
        ['converged', ok, main(a)],
        ['progressing', 'HealthCheckFailed', main(b)],
        ['waiting', 'ReconciliationFailed', main(b)],
        ['diverged', 'BuildFailed', main(c)],
      ],
      ...{ began: 1, firstBad: main(b), lastGood: a ?? null },
    },
    // It failed before this incident and after it, but not in it.
    {
      changes: [
        ['diverged', 'BuildFailed', main(b)],
        ['converged', ok, main(a)],
        ['stale', 'ControllerDead', main(a)],
        ['converged', ok, main(a)],
        ['diverged', 'BuildFailed', main(c)],
      ],
      ...{ began: 2, ended: 3, firstBad: main(a), lastGood: a ?? null },
    },
    // Another object of that name worked before.
    {
      changes: [
        ['converged', ok, main(a), { uid: 'before' }],
        ['diverged', 'BuildFailed', main(b)],
      ],
      ...{ began: 1, firstBad: main(b), lastGood: a ?? null },
    },
    // Another object of that name failed after.
    {
      changes: [
        ['converged', ok, main(a)],
        ['stale', 'ControllerDead', main(a)],
        ['diverged', 'BuildFailed', main(b), { uid: 'after' }],
      ],
      ...{ began: 1, firstBad: main(a), lastGood: a ?? null },
    },
  ]);
  expect(await ranges()).toEqual([
    { lastGood: main(a), firstBad: main(b), ...unwatched },
    { lastGood: main(a), firstBad: main(c), ...unwatched },
    { lastGood: null, firstBad: main(b), ...unwatched },
    null,
    null,
    null,
    { lastGood: null, firstBad: '6.5.0', ...unwatched },
    { lastGood: main(a), firstBad: main(a), ...unwatched },
    { lastGood: null, firstBad: main(b), ...unwatched },
    { lastGood: main(a), firstBad: main(c), ...unwatched },
    null,
    { lastGood: null, firstBad: main(b), ...unwatched },
    null,
  ]);
});

it('a store without incidents is brought to this version too', async () => {
  formerStore([]);
  expect(await ranges()).toEqual([]);
});
