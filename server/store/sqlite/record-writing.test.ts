import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CurrentObject, Transition } from '#lib/domain/record/current.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource, type Lease, type StoreWriter, type WriteBatch } from '../port/port.ts';
import { openSqliteWriter } from './writing/writer.ts';

const ref = refOf('a', 1);
let directory: string;
let path: string;
let writer: StoreWriter;
let lease: Lease<'cluster'>;

async function open(): Promise<void> {
  const opened = openSqliteWriter({ path, log: silentLog });
  if ('type' in opened) throw new Error(opened.type);
  writer = opened;
  const taken = await writer.acquire(clusterSource('a'), 'one', noon, 15_000);
  if (taken === null) throw new Error('no lease');
  lease = taken;
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-record-'));
  path = join(directory, 'plumbline.db');
  await open();
});

afterEach(async () => {
  await writer.close();
  rmSync(directory, { recursive: true });
});

async function write(...changes: readonly Partial<WriteBatch>[]): Promise<void> {
  for (const change of changes) expect(await writer.write(lease, batchOf(change))).toEqual({ type: 'written' });
}

/** Rows of the file, as the disk has them. */
function rows(sql: string): readonly (readonly unknown[])[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const found: unknown = statement.all();
  database.close();
  if (!Array.isArray(found)) throw new Error('no rows');
  return found;
}

/** Everything that the record is made of, with the texts in place of their ids. */
function wholeRecord(): readonly unknown[] {
  const text = (id: string): string => `(SELECT text FROM text WHERE id = ${id})`;
  return [
    `SELECT id, object, at, noticed_at, until, from_verdict, to_verdict, uid, ${text('traits')} FROM transition ORDER BY id`,
    `SELECT id, object, uid, opened_at, noticed_at, closed_at, ended, worst, ${text('reason')}, ${text('commit_range')} FROM absence ORDER BY id`,
    `SELECT object, at, certainty, ${text('said')}, count FROM correction ORDER BY id`,
    'SELECT object, uid, from_at, to_at, good, status FROM backfill ORDER BY id',
    'SELECT * FROM arrival ORDER BY cluster, commit_hash',
    'SELECT object, at, kind FROM change ORDER BY id',
  ].map(rows);
}

/** Away since `minutes` at least. */
function awayAt(minutes: number) {
  const time = noon + minutes * minute;
  return { time, bound: 'at-least' as const, noticedAt: time };
}

/** Batch that a collector writes when an object comes into a verdict at `at` minutes. */
function verdictAt(verdict: Verdict, at: number, from: Verdict | null, change: Partial<CurrentObject> = {}) {
  const noticedAt = noon + at * minute;
  const onset = { time: noticedAt - 20, bound: 'exact' as const, noticedAt };
  const object = objectOf(ref, {
    uid: 'one',
    verdict,
    reason: `because ${verdict}`,
    onset,
    awaySince: verdict === 'converged' ? null : onset,
    ...change,
  });
  const transition: Transition = transitionOf(ref, onset.time, {
    uid: object.uid,
    noticedAt,
    from,
    to: verdict,
    reason: object.reason,
  });
  return { at: noticedAt, objects: withDetails([object]), transitions: [transition] };
}

function removalAt(at: number, from: Verdict) {
  const time = noon + at * minute;
  return {
    at: time,
    removed: [{ ref, at: time }],
    transitions: [transitionOf(ref, time, { uid: 'one', noticedAt: time, from, to: null, reason: 'Deleted' })],
  };
}

const times =
  'SELECT (noticed_at - 1795262400000) / 60000.0, (until - 1795262400000) / 60000.0, to_verdict FROM transition';

describe('a span', () => {
  it('ends with the transaction that writes the next one, and keeps the traits with which it began', async () => {
    await write(verdictAt('converged', 0, null), verdictAt('diverged', 5, 'converged', { was: 'behind' }));
    expect(rows(`${times} ORDER BY id`)).toEqual([
      [0, 5, 'converged'],
      [5, null, 'diverged'],
    ]);
    const traits = rows('SELECT x.text FROM transition t JOIN text x ON x.id = t.traits ORDER BY t.id');
    expect(traits.map(([text]) => JSON.parse(String(text)).slice(0, 4))).toEqual([
      ['flux', 'applier', 'converged', null],
      ['flux', 'applier', 'diverged', 'behind'],
    ]);
  });

  it('has the traits of its own record where one batch brings several', async () => {
    const [first, second] = [verdictAt('converged', 0, null), verdictAt('diverged', 5, 'converged')];
    await write({
      objects: [...first.objects, ...second.objects],
      transitions: [...first.transitions, ...second.transitions],
    });
    const traits = rows('SELECT t.to_verdict, x.text FROM transition t JOIN text x ON x.id = t.traits ORDER BY t.id');
    expect(traits.map(([verdict, text]) => [verdict, JSON.parse(String(text))[2]])).toEqual([
      ['converged', 'converged'],
      ['diverged', 'diverged'],
    ]);
  });

  it('ends with its object; what was gone and came again has a time in which it was not', async () => {
    await write(verdictAt('converged', 0, null), removalAt(3, 'converged'));
    expect(
      rows('SELECT path IS NOT NULL, source IS NOT NULL, repository IS NOT NULL, traits, uid FROM object'),
    ).toEqual([[1, 1, 1, null, null]]);
    await write(verdictAt('converged', 9, null, { uid: 'two' }));
    expect(rows(`${times} ORDER BY id`)).toEqual([
      [0, 3, 'converged'],
      [3, 9, ''],
      [9, null, 'converged'],
    ]);
  });

  it('of what is removed and made anew in one batch ends, and the new one lives', async () => {
    await write(verdictAt('diverged', 0, null));
    const [gone, anew] = [removalAt(3, 'diverged'), verdictAt('converged', 3, null, { uid: 'two' })];
    await write({ ...gone, objects: anew.objects, transitions: [...gone.transitions, ...anew.transitions] });
    expect(rows('SELECT uid FROM object')).toEqual([['two']]);
    expect(rows(`${times} ORDER BY id`)).toEqual([
      [0, 3, 'diverged'],
      [3, 3, ''],
      [3, null, 'converged'],
    ]);
    expect(rows('SELECT uid, ended FROM absence')).toEqual([['one', 'removed']]);
    expect((await writer.load('a')).objects.map(({ object }) => object.uid)).toEqual(['two']);
  });

  it('ends where its cluster is forgotten, and is begun anew where the cluster comes back', async () => {
    await write(verdictAt('diverged', 0, null));
    await writer.forget(lease, noon + 4 * minute);
    expect(rows('SELECT ended, (closed_at - noticed_at) / 60000.0 FROM absence')).toEqual([['forgotten', 4]]);
    await open();
    await write(verdictAt('converged', 9, null));
    expect(rows(`${times} ORDER BY id`)).toEqual([
      [0, 4, 'diverged'],
      [4, 9, ''],
      [9, null, 'converged'],
    ]);
  });

  it.each([
    [
      'with the next verdict',
      () => [verdictAt('converged', 30, 'diverged')],
      [
        [0, 30, 'converged'],
        [30, 30, 'diverged'],
        [30, null, 'converged'],
      ],
    ],
    [
      'with the verdict that goes on',
      () => [{ objects: verdictAt('diverged', 30, null).objects }],
      [
        [0, 30, 'converged'],
        [30, null, 'diverged'],
      ],
    ],
  ])('began no later than now: a clock that was set back is made up for %s', async (_, next, spans) => {
    await write(verdictAt('converged', 0, null), verdictAt('diverged', 500_000, 'converged'));
    await write(...next());
    expect(rows(`${times} ORDER BY id`)).toEqual(spans);
    expect(rows('SELECT (opened_at - 1795262400000) / 60000.0 FROM absence')).toEqual([[30]]);
  });
});

describe('an absence', () => {
  it('is written with the records that it follows from, with the range of the first that failed', async () => {
    const range = (firstBad: string) => ({ lastGood: 'main@sha1:a', firstBad, seenBetween: 2, watched: true });
    await write(verdictAt('converged', 0, null), verdictAt('behind', 4, 'converged'));
    expect(rows('SELECT commit_range FROM absence')).toEqual([[null]]);
    await write(
      verdictAt('diverged', 5, 'behind', { range: range('main@sha1:b'), awaySince: awayAt(4) }),
      verdictAt('unhealthy', 6, 'diverged', { range: range('main@sha1:c'), awaySince: awayAt(4) }),
    );
    expect(rows('SELECT x.text, i.closed_at, i.ended FROM absence i JOIN text x ON x.id = i.commit_range')).toEqual([
      ['["main@sha1:a","main@sha1:b","2","1"]', null, null],
    ]);
    await write(verdictAt('converged', 8, 'diverged'));
    expect(rows('SELECT (closed_at - noticed_at) / 60000.0, ended, worst FROM absence')).toEqual([
      [4, 'converged', 'diverged'],
    ]);
  });

  it('of what never was away costs nothing', async () => {
    await write(
      verdictAt('converged', 0, null),
      verdictAt('unobserved', 2, 'converged'),
      verdictAt('converged', 4, 'unobserved'),
    );
    expect(rows('SELECT COUNT(*) FROM absence')).toEqual([[0]]);
  });
});

describe('beside the spans', () => {
  it('of a correction the later word counts', async () => {
    const correction = { at: noon, certainty: 'probable' as const, said: 'ConfigMap/apps/x configured', count: 1 };
    await write(
      { corrections: [{ ref, correction }] },
      { corrections: [{ ref, correction: { ...correction, count: 4 } }] },
    );
    await write({ corrections: [{ ref, correction: { ...correction, at: noon + 1, certainty: 'contested' } }] });
    expect(rows('SELECT at - 1795262400000, certainty, count FROM correction ORDER BY at')).toEqual([
      [0, 'probable', 4],
      [1, 'contested', 1],
    ]);
  });

  it('an arrival knows when its commit was offered, the first and the last that arrived, and how many', async () => {
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
    const source = { ...ref, group: 'source.toolkit.fluxcd.io', kind: 'GitRepository', name: 'control' };
    const offered = (at: number, commit: string) => ({
      cluster: 'a',
      ref: source,
      at,
      notBefore: at,
      noticedAt: at,
      fact: { type: 'revision' as const, from: null, to: `main@sha1:${commit}` },
    });
    const arrived = (number: number, at: number, commit: string) => ({ ref: refOf('a', number), commit, at });
    await write({ arrivals: [arrived(1, noon + 5, one)] });
    await write({ changes: [offered(noon + 10, two)] });
    await write({ arrivals: [arrived(1, noon + 30, two)] }, { arrivals: [arrived(2, noon + 40, two)] });
    // Gone back to and forth again: it has arrived there before; what is offered again was offered when nobody looked.
    await write(
      { arrivals: [arrived(1, noon + 50, one)] },
      { changes: [offered(noon + 60, one), offered(noon + 70, two)] },
    );
    expect(
      rows(
        'SELECT substr(commit_hash, 1, 1), offered_at - 1795262400000, first_at - 1795262400000, last_at - 1795262400000, objects FROM arrival',
      ),
    ).toEqual([
      ['1', null, 5, 5, 1],
      ['2', 10, 30, 40, 2],
    ]);
  });
});

it('a batch that is written twice changes nothing', async () => {
  const correction = { at: noon, certainty: 'confirmed' as const, said: 'x configured', count: 2 };
  const earlier = {
    ref,
    uid: 'one',
    from: noon - 9,
    to: noon - 3,
    good: false,
    status: 'HealthCheckFailed',
    revision: 'r',
  };
  const batches: readonly Partial<WriteBatch>[] = [
    { ...verdictAt('converged', 0, null), earlier: [earlier], corrections: [{ ref, correction }] },
    { ...verdictAt('diverged', 5, 'converged'), arrivals: [{ ref, commit: 'd'.repeat(40), at: noon }] },
    verdictAt('converged', 6, 'diverged'),
    verdictAt('stale', 20, 'converged'),
    removalAt(30, 'stale'),
    verdictAt('converged', 31, null, { uid: 'two' }),
  ];
  for (const batch of batches) {
    await write(batch);
    const before = wholeRecord();
    await write(batch);
    expect(wholeRecord()).toEqual(before);
  }
});

describe('an absence', () => {
  const absences =
    'SELECT uid, (opened_at - 1795262400000) / 60000.0, (closed_at - 1795262400000) / 60000.0, ended FROM absence ORDER BY id';

  it('goes on where its cluster was forgotten and is read again', async () => {
    await write(verdictAt('diverged', 5, null, { awaySince: awayAt(1) }));
    await writer.forget(lease, noon + 10 * minute);
    await write(verdictAt('diverged', 20, null, { awaySince: awayAt(1) }));
    expect(rows(absences)).toEqual([['one', 1, null, null]]);
    await write(verdictAt('converged', 30, 'diverged'));
    expect(rows(absences)).toEqual([['one', 1, 30, 'converged']]);
  });

  it('ends though the one before began later, by a clock that is ahead of that of its cluster', async () => {
    await write(verdictAt('diverged', 10, null, { awaySince: awayAt(10) }), removalAt(11, 'diverged'));
    await write(
      verdictAt('diverged', 12, null, { uid: 'two', awaySince: awayAt(9) }),
      verdictAt('converged', 20, 'diverged', { uid: 'two' }),
    );
    expect(rows(absences)).toEqual([
      ['one', 10, 11, 'removed'],
      ['two', 9, 20, 'converged'],
    ]);
  });
});
