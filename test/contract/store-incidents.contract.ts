import { describe, expect, it } from 'vitest';
import type { Incident, Member } from '#lib/domain/incident/incident.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { incidentOrders, type IncidentQuestion } from '#server/store/port/incident-port.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { kinds, randomHistory, randomOf, withins } from './random-history.ts';
import type { Bench } from './store-bench.ts';
import { noon } from './store-records.ts';
import { allPages, recordOf, writeAll } from './written-record.ts';

const scopes: readonly RecordScope[] = [
  { clusters: null },
  { clusters: ['b'] },
  { clusters: ['a', 'c', 'none'] },
  { clusters: ['none'] },
  { clusters: null, kind: kinds[1] },
  { clusters: null, kind: { group: 'none', kind: 'None' } },
  { clusters: ['a'], kind: kinds[0] },
  { clusters: null, kind: kinds[0], namespace: 'n-0', name: 'x' },
  { clusters: null, namespace: 'n-1' },
  ...withins.map((within) => ({ clusters: null, within })),
  { clusters: ['b', 'c'], kind: kinds[0], within: withins[4] ?? [] },
];

const membersAsked: readonly RecordScope[] = [
  { clusters: null },
  { clusters: ['b'] },
  { clusters: null, kind: kinds[1] },
  ...withins.map((within) => ({ clusters: null, within })),
];

const ref = { cluster: 'a', ...kinds[0], namespace: 'n-0', name: 'x' };

/** Parts of a question beside scope, period and order. */
const filters: readonly Partial<IncidentQuestion>[] = [
  { verdicts: ['diverged', 'stale'] },
  { causes: ['controller', 'cluster'] },
  { open: true },
  { open: false, objects: 2 },
  { lasted: hour },
];

/** Everything that a record can be asked about incidents, of a scope and a period, as known at `at`. */
async function answers(record: RecordReader, scope: RecordScope, period: Period, at: number): Promise<object> {
  const listed: Record<string, readonly Incident[]> = {};
  for (const order of incidentOrders) {
    const question = { scope, period, at, order };
    listed[order] = await allPages((cursor) => record.incidents(question, { cursor, limit: 3 }));
    expect(await record.incidentCount(question, 10_000)).toBe(listed[order].length);
  }
  const filtered: unknown[] = [];
  for (const [place, filter] of filters.entries()) {
    const order = incidentOrders[place % incidentOrders.length] ?? 'newest';
    const question = { scope, period, at, order, ...filter };
    filtered.push(
      filter,
      await allPages((cursor) => record.incidents(question, { cursor, limit: 2 })),
      await record.incidentCount(question, 3),
    );
  }
  const figures = await record.causeFigures(scope, period, at);
  const { opened, openAtStart, closed, gone, open } = figures;
  expect(open).toBe(opened + openAtStart - closed - gone);
  return { listed, filtered, figures };
}

/** Each incident as known at `at`, with all that is told of it. */
async function each(record: RecordReader, ids: readonly string[], at: number): Promise<object> {
  const told: unknown[] = [];
  const membersTold: (readonly Member[])[][] = [];
  for (const id of ids) {
    const members = await Promise.all(
      membersAsked.map((scope) => allPages((cursor) => record.members(id, at, scope, { cursor, limit: 2 }))),
    );
    membersTold.push(members);
    told.push(
      await record.incident(id, at),
      await record.incidentSteps(id, at, 100),
      await record.incidentSteps(id, at, 2),
      ...members,
    );
  }
  for (const [place, scope] of membersAsked.entries()) {
    const its = membersTold.flatMap((lists) => lists[place] ?? []);
    expect(await record.membersOfMany(ids, at, scope, its.length)).toEqual(its);
    expect(await record.membersOfMany(ids, at, scope, Math.max(0, its.length - 1))).toEqual(its.length > 0 ? null : []);
  }
  return { told, memberships: await record.membershipsOf(ref, at, 100), last: await record.membershipsOf(ref, at, 2) };
}

/** Adds up all that is over, and deletes nothing. */
async function keepUp(bench: Bench, now: number): Promise<void> {
  const forever = 10_000 * day;
  while ((await bench.writer.keep({ spans: forever, messages: forever }, now)).more);
}

/** Cases of what is told about incidents, held against the pure record of what was written. */
export function describeIncidents(bench: Bench): void {
  describe('incidents', () => {
    it.each([1, 2, 3, 4, 5, 6])(
      'are told as the pure record does, of now and of any moment (seed %d)',
      async (seed) => {
        const { writes, now } = randomHistory(seed, dayOf(noon) + 5 * hour, 300);
        await writeAll(bench, writes);
        const pure = recordOf(writes);
        const engine = bench.reader.record;
        const random = randomOf(seed);
        const start = dayOf(noon);
        async function expectTheSame(): Promise<void> {
          for (const scope of scopes) {
            const from = start + Math.floor(random() * (now - start) * 0.7);
            const to = from + 1 + Math.floor(random() * (now - from));
            for (const [period, at] of [
              [{ from, to }, now],
              [{ from: start, to: now }, now],
              [{ from: start, to }, to - 1],
              [{ from, to: now }, from + Math.floor(random() * (now - from))],
            ] as const)
              expect([scope, period, at, await answers(engine, scope, period, at)]).toEqual([
                ...[scope, period, at],
                await answers(pure, scope, period, at),
              ]);
          }
        }
        await expectTheSame();
        await keepUp(bench, now);
        await expectTheSame();
        const ids = [...new Set((await pure.incidentNews(0, 10_000)).news.map(({ incident }) => incident)), 'none'];
        for (const at of [now, start + Math.floor(random() * (now - start)), start])
          expect([at, await each(engine, ids, at)]).toEqual([at, await each(pure, ids, at)]);
      },
    );

    it.each([1, 2, 3])(
      'are counted as the pure record does, also of what is added up and changes later (seed %d)',
      async (seed) => {
        const { writes, now } = randomHistory(seed, dayOf(noon) + 5 * hour, 300);
        const random = randomOf(seed);
        const half = Math.floor(writes.length / 2);
        await writeAll(bench, writes.slice(0, half));
        await keepUp(bench, now);
        await writeAll(bench, writes.slice(half));
        const pure = recordOf(writes);
        const start = dayOf(noon);
        for (const kept of ['not yet', 'again']) {
          if (kept === 'again') await keepUp(bench, now);
          for (let round = 0; round < 40; round++) {
            const from = start + Math.floor(random() * (now - start));
            const period = { from, to: from + 1 + Math.floor(random() * (now - from)) };
            for (const at of [now, from + Math.floor(random() * (now - from))])
              expect([
                kept,
                period,
                at,
                await bench.reader.record.causeFigures({ clusters: null }, period, at),
              ]).toEqual([kept, period, at, await pure.causeFigures({ clusters: null }, period, at)]);
          }
        }
      },
    );

    it('tell their news from any position on, and what lies behind it', async () => {
      const { writes } = randomHistory(7, dayOf(noon) + 5 * hour, 200);
      const engine = bench.reader.record;
      expect(await engine.incidentNews(null, 10)).toEqual({ news: [], position: 0, reset: false });
      await writeAll(bench, writes);
      const { news, position, reset } = await engine.incidentNews(0, 10_000);
      expect([news.length > 20, position, reset]).toEqual([true, news.at(-1)?.position, false]);
      expect(news.map((step) => step.position)).toEqual(news.map((_, place) => place + 1));
      expect(news).toEqual((await recordOf(writes).incidentNews(0, 10_000)).news);
      expect(await engine.incidentNews(5, 2)).toEqual({ news: news.slice(5, 7), position: 7, reset: false });
      expect(await engine.incidentNews(position, 2)).toEqual({ news: [], position, reset: false });
      expect(await engine.incidentNews(null, 2)).toEqual({ news: [], position, reset: false });
      expect(await engine.incidentNews(position + 1, 2)).toEqual({ news: [], position, reset: true });
      expect(await engine.incidentsUpTo()).toBe(null);
    });

    it('are none of a record that has none, and of an empty period', async () => {
      const record = bench.reader.record;
      const question = {
        scope: { clusters: null },
        period: { from: noon, to: noon + day },
        at: noon,
        order: 'newest',
      } as const;
      expect(await record.incidents(question, { cursor: null, limit: 10 })).toEqual({ items: [], next: null });
      expect(await record.incident('none', noon)).toBe(null);
      expect(await record.membershipsOf(ref, noon, 10)).toEqual([]);
      const { writes, now } = randomHistory(8, noon, 60);
      await writeAll(bench, writes);
      const empty = { ...question, period: { from: noon + minute, to: noon + minute }, at: now };
      expect(await record.incidents(empty, { cursor: null, limit: 10 })).toEqual({ items: [], next: null });
      expect(await record.incidentCount(empty, 10)).toBe(0);
    });
  });
}
