// Of many clusters the record is read in another way than of a few: both come to the same.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { day as dayLength, hour, minute } from '#lib/domain/time/length.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { kinds, randomHistory } from '#test/contract/random-history.ts';
import { noon } from '#test/contract/store-records.ts';
import { clusterSource, type StoreReader, type StoreWriter } from '../port/port.ts';
import type { RecordScope } from '../port/record-port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

const fleets = 40;
const begins = dayOf(noon) + 7 * hour;
const forever = { spans: 10_000 * dayLength, messages: 10_000 * dayLength };
/** No reading is told for long. */
let asked = 0;
const clock = { ...systemClock, now: () => (asked += minute) };

function renamed<T>(value: T, fleet: number): T {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) =>
      key === 'cluster' && typeof part === 'string' ? `${part}-${fleet}` : part,
    ),
  );
}

describe('a record of 120 clusters', () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-many-clusters-'));
  const path = join(directory, 'plumbline.db');
  const names = Array.from({ length: fleets }, (_, fleet) => ['a', 'b', 'c'].map((name) => `${name}-${fleet}`)).flat();
  let writer: StoreWriter;
  let reader: StoreReader;
  let now = 0;

  beforeAll(async () => {
    const opened = openSqliteWriter({ path, log: silentLog });
    if ('type' in opened) throw new Error(opened.type);
    writer = opened;
    for (let fleet = 0; fleet < fleets; fleet++) {
      const history = randomHistory(fleet, begins, 60);
      now = Math.max(now, history.now);
      for (const write of history.writes) {
        const lease = await writer.acquire(clusterSource(`${write.cluster}-${fleet}`), 'one', noon, 1000);
        if (lease === null) throw new Error('no lease');
        if ('batch' in write) await writer.write(lease, renamed(write.batch, fleet));
        else await writer.forget(lease, write.forgottenAt);
      }
    }
    const read = await openSqliteReader({ path, clock });
    if ('type' in read) throw new Error(read.type);
    reader = read;
  }, 120_000);

  afterAll(async () => {
    await reader.close();
    await writer.close();
    rmSync(directory, { recursive: true });
  });

  /** Sum of the parts of a scope, none of which has many clusters. */
  async function inParts(
    scope: RecordScope,
    period: { from: number; to: number },
    parts: readonly (readonly string[])[],
  ) {
    const answers = await Promise.all(parts.map(async (clusters) => answersOf({ ...scope, clusters }, period)));
    return {
      shares: verdicts.map((_, position) => answers.reduce((sum, { shares }) => sum + (shares[position] ?? 0), 0)),
      objects: answers.reduce((sum, { objects }) => sum + objects, 0),
      figures: answers.reduce(
        (sum, { figures }) => sum.map((value, position) => value + (figures[position] ?? 0)),
        [0, 0, 0, 0, 0, 0],
      ),
      worst: answers
        .flatMap(({ worst }) => worst)
        .toSorted((a, b) => b - a)
        .slice(0, 20),
    };
  }

  async function answersOf(scope: RecordScope, period: { from: number; to: number }) {
    const { record } = reader;
    const [total] = await record.shares(scope, period, 'total');
    const figures = await record.absenceFigures(scope, period, 10 * minute);
    const sum = (times: Iterable<number>): number => [...times].reduce((all, time) => all + time, 0);
    const worst = await record.worst(scope, period, 20);
    return {
      shares: verdicts.map((verdict) => total?.shares[verdict] ?? 0),
      objects: await record.objectCount(scope, period),
      figures: [
        figures.opened,
        figures.closed,
        figures.open,
        figures.overdue,
        sum(figures.toConverge),
        sum(figures.toNotice),
      ],
      worst: worst.map(({ shares }) => sum(verdicts.map((verdict) => (isAway(verdict) ? shares[verdict] : 0)))),
    };
  }

  const asks: readonly RecordScope[] = [
    { clusters: null },
    { clusters: names.slice(0, 110) },
    { clusters: null, kind: kinds[1] },
  ];

  function periods(): readonly { from: number; to: number }[] {
    const day = dayOf(begins) + 2 * dayLength;
    return [
      { from: begins, to: now },
      { from: day + 5 * hour, to: day + 11 * hour },
      { from: day, to: day + dayLength },
      { from: day + hour, to: dayOf(now) + minute },
      { from: dayOf(now), to: now },
    ];
  }

  async function bothWays(): Promise<readonly [readonly object[], readonly object[]]> {
    const [whole, added]: [object[], object[]] = [[], []];
    for (const scope of asks) {
      const all = scope.clusters ?? names;
      const parts = [all.slice(0, 37), all.slice(37, 90), all.slice(90)];
      for (const period of periods()) {
        whole.push({ scope, period, ...(await answersOf(scope, period)) });
        added.push({ scope, period, ...(await inParts(scope, period, parts)) });
      }
    }
    return [whole, added];
  }

  it('comes to what its parts come to, before days are rolled up and after', async () => {
    const [whole, added] = await bothWays();
    expect(whole).toEqual(added);
    while ((await writer.keep(forever, now)).more);
    const [rolled, rolledParts] = await bothWays();
    expect(rolled).toEqual(rolledParts);
    expect(rolled).toEqual(whole);
  }, 120_000);
});
