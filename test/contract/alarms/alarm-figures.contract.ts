import { describe, expect, it } from 'vitest';
import { calledHowOf, calledHows, type AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import type { CalledQuestion } from '#server/store/port/alarm-port.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { type Chance, chanceOf, clusterNames, kinds, randomHistory, withins, type Written } from '../random-history.ts';
import { startRecord } from '../record-writing/record-writer.ts';
import type { Bench } from '../store-bench.ts';
import { noon } from '../store-records.ts';
import { allPages, writeAll } from '../written-record.ts';
import { alarmBatchOf, alarmLease } from './alarm-records.ts';

const sources = ['prom', 'other', 'third'] as const;

/** One word of an alarm source: calls and coverage, or that it is configured no longer. */
export type AlarmWord =
  | { readonly source: string; readonly calls: readonly AlarmCall[]; readonly coverage: readonly AlarmCoverage[] }
  | { readonly source: string; readonly forgottenAt: number };

/** An object, and when a verdict of it began (ms). */
interface Away {
  readonly ref: ObjectRef;
  readonly at: number;
}

/** Labels of a call: for an object, for what others wait for, for a group, for nobody. */
function labelsFor({ random, pick }: Chance, ref: ObjectRef): AlarmCall['labels'] {
  const roll = random();
  const whole = { customresource_kind: ref.kind, exported_namespace: ref.namespace, name: ref.name };
  if (roll < 0.45) return whole;
  if (roll < 0.55) return { namespace: 'flux-system', deployment: 'kustomize-controller' };
  if (roll < 0.62) return { kind: ref.kind.toLowerCase(), name: ref.name };
  if (roll < 0.69) return { kind: ref.kind };
  if (roll < 0.75) return { ...whole, customresource_group: pick([ref.group, 'other.example.org']) };
  if (roll < 0.8) return { exported_namespace: ref.namespace };
  if (roll < 0.84) return { name: ref.name };
  if (roll < 0.88) return { ...whole, name: '' };
  return { severity: 'page' };
}

export function randomWords(seed: number, records: readonly Away[], from: number, to: number): readonly AlarmWord[] {
  const chance = chanceOf(seed);
  const { random, below, pick } = chance;
  const words: AlarmWord[] = [];
  const span = to - from;
  for (const source of sources) {
    let at = from + below(Math.floor(span / 4));
    for (let step = 0; step < 5 && at < to; step++) {
      const clusters = pick<readonly string[]>([[], ['a'], ['a', 'b'], ['a', 'b', 'c']]);
      const read = step === 0 || random() < 0.7;
      words.push({ source, calls: [], coverage: [{ source, at, read, clusters, reason: read ? null : 'it is lost' }] });
      if (random() < 0.06) words.push({ source, forgottenAt: at + below(hour) });
      at += below(Math.floor(span / 4));
    }
  }
  for (let number = 0; number < 120; number++) {
    const source = pick(sources);
    const { ref, at } = pick(records);
    const began = random() < 0.5 ? from + below(span) : at + below(30 * minute);
    const labels = labelsFor(chance, ref);
    const call = {
      ...{ source, key: `k ${number}`, alert: pick(['NotReady', 'Failing', 'Other']), labels, receivers: ['oncall'] },
      ...{ cluster: random() < 0.8 ? ref.cluster : pick([...clusterNames, null]), startsAt: began, from: began },
      readsObjects: pick([true, false, false, null]),
      to: random() < 0.1 ? null : began + below(3) * below(6 * hour),
    };
    words.push({ source, calls: [call], coverage: [] });
  }
  return words;
}

export const scopes: readonly RecordScope[] = [
  { clusters: null },
  { clusters: ['b'] },
  { clusters: ['a', 'c', 'none'] },
  { clusters: null, kind: kinds[1] },
  { clusters: ['a'], kind: kinds[0], namespace: 'n-0' },
  { clusters: null, kind: { group: 'no.example.org', kind: 'Nothing' } },
  ...withins.map((within) => ({ clusters: null, within })),
];

/** Figures of a scope and period, which must add up. */
export async function figuresOf(record: RecordReader, scope: RecordScope, period: Period): Promise<AlarmFigures> {
  const alarmWithin = 15 * minute;
  const figures = await record.alarmFigures(scope, period, alarmWithin);
  const { overdue } = await record.absenceFigures(scope, period, alarmWithin);
  expect(figures.called + figures.silent + figures.unknown).toBe(overdue);
  return figures;
}

export async function incidentAnswers(record: RecordReader, ids: readonly string[], at: number): Promise<object> {
  return {
    sums: [...(await record.incidentCalls(ids, at))],
    lists: await Promise.all(ids.map((id) => record.callsOfIncident(id, at, 7))),
    within: await Promise.all(
      withins.map(async (within) => ({
        sums: [...(await record.incidentCalls(ids, at, within))],
        lists: await Promise.all(ids.map((id) => record.callsOfIncident(id, at, 7, within))),
      })),
    ),
  };
}

/** Absences by who was called, page by page: whole and narrowed down, in each order. They are as many as the figures count. */
async function calledAnswers(record: RecordReader, scope: RecordScope, period: Period): Promise<object> {
  const alarmWithin = 15 * minute;
  const { overdue } = await record.alarmFigures(scope, period, alarmWithin);
  const found: (readonly Absence[])[] = [];
  for (const [how, name] of Object.entries(calledHowOf)) {
    for (const [place, narrowed] of narrowings(period).entries()) {
      const question = {
        ...narrowed,
        alarmWithin,
        called: [name],
        order: place % 2 === 0 ? 'newest' : 'longest',
      } as const;
      const all = await allPages((cursor) => record.absencesCalled(scope, period, { ...question, cursor, limit: 3 }));
      if (place === 0)
        expect([how, all.length]).toEqual([how, Object.entries(overdue).find(([one]) => one === how)?.[1]]);
      found.push(all);
    }
  }
  const asked = { alarmWithin, called: calledHows, order: 'longest', cursor: null, limit: 1_000 } as const;
  return { found, longest: await record.absencesCalled(scope, period, asked) };
}

function narrowings({ from, to }: Period): readonly Pick<CalledQuestion, 'worst' | 'over'>[] {
  const middle = from + Math.floor((to - from) / 2);
  return [
    {},
    { worst: ['stale', 'unhealthy', 'drifted'] },
    { over: { by: to, is: false } },
    { worst: ['diverged', 'unhealthy'], over: { by: middle, is: true } },
    { worst: [] },
  ];
}

/** Writes words of alarm sources. */
export async function writeWords({ writer }: Bench, words: readonly AlarmWord[]): Promise<void> {
  for (const word of words) {
    const lease = await alarmLease(writer, word.source);
    if ('forgottenAt' in word) await writer.forgetAlarms(lease, word.forgottenAt);
    else await writer.writeAlarms(lease, alarmBatchOf({ calls: word.calls, coverage: word.coverage }));
  }
}

/** Rolls up all that can be. */
export async function keepUp({ writer }: Bench, now: number): Promise<void> {
  const forever = 10_000 * day;
  while ((await writer.keep({ spans: forever, messages: forever }, now)).more);
}

/** The pure record of what was written. */
export function pureOf(writes: readonly Written[], words: readonly AlarmWord[]): RecordReader {
  const pure = startRecord();
  for (const written of writes) {
    if ('batch' in written) pure.write(written.cluster, written.batch);
    else pure.forget(written.cluster, written.forgottenAt);
  }
  for (const word of words) {
    if ('forgottenAt' in word) pure.forgetAlarms(word.source, word.forgottenAt);
    else pure.writeAlarms(word.source, word);
  }
  return readRecord(pure.recorded);
}

/** Cases of who was called for what was away. */
export function describeAlarmFigures(bench: Bench): void {
  /** The engine's answers and those of the pure record. */
  async function both(expected: RecordReader, seed: number, now: number): Promise<readonly [object[], object[]]> {
    const { random, below } = chanceOf(seed);
    const begin = dayOf(noon);
    const ids = await idsOf(expected, now);
    const answers: [object[], object[]] = [[], []];
    for (const scope of scopes) {
      const from = begin + below(Math.floor((now - begin) * 0.7));
      const period = random() < 0.3 ? { from: dayOf(from), to: now } : { from, to: from + 1 + below(now - from) };
      const asked = [...ids.slice(below(ids.length)).slice(0, 6), 'none'];
      const at = random() < 0.5 ? now : period.to;
      for (const [place, record] of [bench.reader.record, expected].entries())
        answers[place]?.push({
          ...{ scope, period, at, figures: await figuresOf(record, scope, period) },
          incidents: await incidentAnswers(record, asked, at),
          called: await calledAnswers(record, scope, period),
        });
    }
    return answers;
  }

  describe('figures of calls', () => {
    it.each([1, 2, 3])('answer as the pure record does, also of what is rolled up (seed %d)', async (seed) => {
      const { writes, now } = randomHistory(seed, dayOf(noon) + 5 * hour, 260);
      const words = randomWords(seed + 500, recordsOf(writes), dayOf(noon), now);
      const [first, early] = [writes.slice(0, 180), words.slice(0, 80)];
      await writeAll(bench, first);
      await writeWords(bench, early);
      const [raw, rawExpected] = await both(pureOf(first, early), seed, now);
      expect(raw).toEqual(rawExpected);
      await keepUp(bench, now);
      const [rolled, rolledExpected] = await both(pureOf(first, early), seed + 10, now);
      expect(rolled).toEqual(rolledExpected);
      // What comes late takes back what it touches.
      await writeAll(bench, writes.slice(180));
      await writeWords(bench, words.slice(80));
      const [late, lateExpected] = await both(pureOf(writes, words), seed + 20, now);
      expect(late).toEqual(lateExpected);
      await keepUp(bench, now);
      const [again, againExpected] = await both(pureOf(writes, words), seed + 30, now);
      expect(again).toEqual(againExpected);
    });

    it.each([4, 5])('know no less of what is kept when older rows are deleted (seed %d)', async (seed) => {
      const { writes, now } = randomHistory(seed, dayOf(noon) + 5 * hour, 260);
      const words = randomWords(seed + 500, recordsOf(writes), dayOf(noon), now);
      await writeAll(bench, writes);
      await writeWords(bench, words);
      const expected = pureOf(writes, words);
      const since = dayOf(noon + (now - noon) / 2);
      const retention = { spans: now - since, messages: now - since };
      while ((await bench.writer.keep(retention, now)).more);
      const { below } = chanceOf(seed);
      for (const scope of scopes) {
        const period = { from: since + below(now - since), to: now };
        const [kept, all] = [
          await figuresOf(bench.reader.record, scope, period),
          await figuresOf(expected, scope, period),
        ];
        for (const part of ['called', 'silent', 'unknown', 'calls', 'alerts'] as const)
          expect([scope, part, kept[part]]).toEqual([scope, part, all[part]]);
        const count = ({ overdue }: AlarmFigures): number =>
          overdue.inTime + overdue.late + overdue.never + overdue.unknown;
        expect(count(kept)).toBe(count(all));
        // Of the time before, nothing is said that is not known any more.
        await figuresOf(bench.reader.record, scope, { from: dayOf(noon), to: now });
      }
    });
  });
}

/** Objects as they were written, and when their verdicts began. */
export function recordsOf(writes: readonly Written[]): readonly Away[] {
  return writes.flatMap((written) =>
    'batch' in written ? written.batch.objects.map(({ object: { ref, onset } }) => ({ ref, at: onset.time })) : [],
  );
}

export async function idsOf(record: RecordReader, at: number): Promise<readonly string[]> {
  const period = { from: 0, to: at + 1 };
  const question = { scope: { clusters: null }, period, at, order: 'newest' } as const;
  const { items } = await record.incidents(question, { cursor: null, limit: 30 });
  return items.map(({ id }) => id);
}
