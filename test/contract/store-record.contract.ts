import { describe, expect, it } from 'vitest';
import { changeTypes } from '#lib/domain/record/change.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { clusterNames, kinds, randomHistory, randomOf, withins, type Written } from './random-history.ts';
import type { Bench } from './store-bench.ts';
import { sortedFleet } from './sorted-fleet.ts';
import { noon } from './store-records.ts';
import { allPages, recordOf, writeAll } from './written-record.ts';

/** Everything that the record can be asked of a scope and a period. */
async function answers(record: RecordReader, scope: RecordScope, period: Period, limit: number): Promise<object> {
  const ref = { cluster: 'a', ...kinds[0], namespace: 'n-0', name: 'x' };
  const first = await record.absences(scope, period, { order: 'newest', cursor: null, limit });
  return {
    since: await record.since(scope),
    spans: await record.spans(ref, period, 100),
    spansIn: await allPages((cursor) => record.spansIn(scope, period, { cursor, limit })),
    bad: await allPages((cursor) => record.spansIn(scope, period, { verdicts: ['diverged', 'stale'], cursor, limit })),
    earlier: await record.earlier(ref),
    gaps: await record.gaps([...clusterNames, 'none'], period),
    absences: first.items,
    newest: await allPages((cursor) => record.absences(scope, period, { order: 'newest', cursor, limit })),
    longest: await allPages((cursor) => record.absences(scope, period, { order: 'longest', cursor, limit })),
    figures: await absencesIn(record, scope, period),
    corrections: await allPages((cursor) => record.corrections(scope, period, { cursor, limit })),
    correctionDays: await record.correctionDays(scope, period),
    total: await record.shares(scope, period, 'total'),
    days: await record.shares(scope, period, 'day'),
    clusters: await record.shares(scope, period, 'cluster'),
    kinds: await record.shares(scope, period, 'kind'),
    objects: await record.objectCount(scope, period),
    anyObject: await record.hasObject(scope, period),
    wallClock: await record.wallClock(scope, period, 4),
    fleetAlone: await record.wallClock(scope, period, 0),
    worst: await record.worst(scope, period, limit),
    suspensions: await record.suspensions(scope, period, 20),
    changes: await record.changeCounts(scope, period, changeTypes),
    suspended: await record.changeCounts(scope, period, ['suspended', 'resumed']),
    arrivals: await record.arrivals(scope, period, 20),
    arrivalTimes: await record.arrivalTimes(scope, period),
    transitions: await allPages((cursor) => record.transitions(scope, period, { cursor, limit })),
    transitionCount: await record.transitionCount(scope, period, 1000),
    fewCounted: await record.transitionCount(scope, period, limit),
    beside: await record.changesBeside(period.from, scope),
    state: sortedFleet(await record.stateAt(period.from, scope)),
  };
}

/** Who left or was away before came back, is gone or is still away. */
async function absencesIn(record: RecordReader, scope: RecordScope, period: Period): Promise<object> {
  const figures = await record.absenceFigures(scope, period, 15 * minute);
  const { opened, openAtStart, closed, gone, open } = figures;
  if (period.from < period.to) expect(opened + openAtStart).toBe(closed + gone + open);
  return figures;
}

const scopes: readonly RecordScope[] = [
  { clusters: null },
  { clusters: ['b'] },
  { clusters: ['a', 'c', 'none'] },
  { clusters: null, kind: kinds[1] },
  { clusters: ['a'], kind: kinds[0] },
  { clusters: null, kind: kinds[0], namespace: 'n-0', name: 'x' },
  { clusters: null, namespace: 'n-1' },
  ...withins.map((within) => ({ clusters: null, within })),
  ...withins.map((within) => ({ clusters: ['a', 'b'], within })),
  { clusters: null, kind: kinds[0], namespace: 'n-0', within: withins[4] ?? [] },
];

/** Cases of what the record answers, held against the pure record of what was written. */
export function describeRecord(bench: Bench): void {
  /** The engine's answers and those of the pure record. */
  async function both(seed: number, writes: readonly Written[], now: number): Promise<readonly [object[], object[]]> {
    const pure = recordOf(writes);
    const random = randomOf(seed);
    const length = now - dayOf(noon);
    const [engine, expected]: [object[], object[]] = [[], []];
    for (const scope of scopes) {
      const from = dayOf(noon) + Math.floor(random() * length * 0.7);
      const to = from + 1 + Math.floor(random() * (now - from));
      for (const period of [
        { from, to },
        { from: dayOf(from), to: random() < 0.5 ? dayOf(to) : now },
      ]) {
        engine.push({ scope, period, ...(await answers(bench.reader.record, scope, period, 3)) });
        expected.push({ scope, period, ...(await answers(pure, scope, period, 3)) });
      }
    }
    return [engine, expected];
  }

  /** Rolls up all that is over. */
  async function keepUp(now: number): Promise<void> {
    const forever = 10_000 * day;
    while ((await bench.writer.keep({ spans: forever, messages: forever }, now)).more);
  }

  describe('the record', () => {
    it.each([1, 2, 3, 4])('answers as the pure record does, also of what is rolled up (seed %d)', async (seed) => {
      const { writes, now } = randomHistory(seed, dayOf(noon) + 5 * 60 * minute, 420);
      const first = writes.slice(0, Math.floor(writes.length * 0.7));
      await writeAll(bench, first);
      const [raw, rawExpected] = await both(seed, first, now);
      expect(raw).toEqual(rawExpected);
      await keepUp(now);
      const [rolled, rolledExpected] = await both(seed + 10, first, now);
      expect(rolled).toEqual(rolledExpected);
      // What comes late takes back what it touches; the rest stays rolled up.
      await writeAll(bench, writes.slice(first.length));
      const lateExpected = (await both(seed + 20, writes, now))[1];
      // Within a second an engine may tell what it read before.
      const late = async (): Promise<readonly object[]> => (await both(seed + 20, writes, now))[0];
      await expect.poll(late, { timeout: 20_000, interval: 500 }).toEqual(lateExpected);
      await keepUp(now);
      const [again, againExpected] = await both(seed + 30, writes, now);
      expect(again).toEqual(againExpected);
    });
  });
}
