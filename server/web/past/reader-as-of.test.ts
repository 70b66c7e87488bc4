import { expect, it } from 'vitest';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { callOf, coverageOf } from '#test/contract/alarms/alarm-records.ts';
import { noon, refOf, transitionOf } from '#test/contract/store-records.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { absenceAsOf, readerAsOf } from './reader-as-of.ts';

const ref = refOf('a', 1);

it('finds as many changes as are asked for, however many of that time were noticed later', async () => {
  const store = memoryStore();
  const late = { noticedAt: noon + 30 * minute };
  for (const minutes of [1, 2, 3, 4, 5, 6]) {
    const at = noon + minutes * minute;
    store.transition(transitionOf(ref, at, minutes > 3 ? late : { noticedAt: at }));
    const fact = { type: 'deleted' } as const;
    store.changed({ cluster: 'a', ref, at, notBefore: at, noticedAt: minutes > 3 ? late.noticedAt : at, fact });
  }
  const then = readerAsOf(await store.source.open(), noon + 10 * minute);
  const range = { from: noon, to: noon + 60 * minute, limit: 3 };
  const minutesOf = (found: readonly { readonly at: number }[]) => found.map(({ at }) => (at - noon) / minute);
  expect(minutesOf(await then.transitions(ref, range))).toEqual([3, 2, 1]);
  expect(minutesOf(await then.changes({ ...range, ref }))).toEqual([3, 2, 1]);
});

it('tells of an absence nothing that came later: not its end, and not what was worse then', async () => {
  const turned = (minutes: number, from: Verdict | null, to: Verdict) =>
    transitionOf(ref, noon + minutes * minute, {
      uid: 'one',
      noticedAt: noon + minutes * minute,
      from,
      to,
      reason: `because ${to}`,
    });
  const range = { lastGood: 'a', firstBad: 'b', seenBetween: 0, watched: true };
  const absence: Absence = {
    ref,
    uid: 'one',
    openedAt: noon + 5 * minute,
    bound: 'exact',
    noticedAt: noon + 5 * minute,
    closedAt: noon + 30 * minute,
    ended: 'converged',
    rootCause: null,
    range,
    worst: 'diverged',
    reason: 'because diverged',
  };
  const record = readRecord({
    transitions: [
      turned(0, null, 'converged'),
      turned(5, 'converged', 'behind'),
      turned(10, 'behind', 'stale'),
      turned(15, 'stale', 'waiting'),
      turned(20, 'waiting', 'diverged'),
      turned(30, 'diverged', 'converged'),
    ],
    absences: [absence],
  });
  const store = await memoryStore().source.open();
  const absenceAt = async (minutes: number): Promise<Absence | undefined> => {
    const at = noon + minutes * minute;
    const then = readerAsOf({ ...store, record }, at).record;
    const page = { order: 'newest' as const, cursor: null, limit: 10 };
    return (await then.absences({ clusters: null }, { from: noon, to: noon + 60 * minute }, page)).items[0];
  };
  expect(await absenceAt(4)).toBeUndefined();
  expect(await absenceAt(7)).toMatchObject({ worst: 'behind', reason: 'because behind', closedAt: null, ended: null });
  expect(await absenceAt(17)).toMatchObject({ worst: 'stale', reason: 'because stale', closedAt: null, range: null });
  expect(await absenceAt(25)).toMatchObject({ worst: 'diverged', reason: 'because diverged', closedAt: null, range });
  expect(await absenceAt(40)).toEqual(absence);
  expect(await absenceAt(5 - 1 / 60_000)).toBeUndefined();
  expect(await absenceAt(5)).toMatchObject({ worst: 'behind', closedAt: null });
  expect(await absenceAt(20 - 1 / 60_000)).toMatchObject({ worst: 'stale' });
  expect(await absenceAt(20)).toMatchObject({ worst: 'diverged', closedAt: null });
  expect(await absenceAt(30 - 1 / 60_000)).toMatchObject({ worst: 'diverged', closedAt: null });
  expect(await absenceAt(30)).toEqual(absence);

  const asked: unknown[] = [];
  const spans: typeof record.spans = async (of, period, limit) => {
    asked.push(of, period, limit);
    return (await record.spans(of, period, limit)).map((span) => ({ ...span, uid: 'another' }));
  };
  const at = noon + 17 * minute;
  expect(await absenceAsOf({ spans }, absence, at)).toEqual({
    ...absence,
    range: null,
    closedAt: null,
    ended: null,
  });
  expect(asked).toEqual([ref, { from: absence.noticedAt, to: at + 1 }, 1_000]);
});

it('knows no end of a span, and no word of a watch, that came later', async () => {
  const turn = (minutes: number, to: Verdict) =>
    transitionOf(ref, noon + minutes * minute, { noticedAt: noon + minutes * minute, from: null, to });
  const record = readRecord({ transitions: [turn(0, 'converged'), turn(10, 'stale'), turn(30, 'converged')] });
  const memory = memoryStore();
  const word = { cluster: 'a', kind: null, observed: true, state: 'live', reason: null };
  for (const minutes of [0, 10, 30]) memory.covered({ ...word, at: noon + minutes * minute });
  const store = await memory.source.open();
  const spansAt = async (at: number) => {
    const then = readerAsOf({ ...store, record }, at);
    const spans = await then.record.spans(ref, { from: noon, to: noon + 60 * minute }, 10);
    const { items } = await then.record.spansIn(
      { clusters: null },
      { from: noon, to: noon + 60 * minute },
      { cursor: null, limit: 10 },
    );
    expect(items).toHaveLength(spans.length);
    return spans
      .toSorted((a, b) => a.from - b.from)
      .map(({ verdict, to }) => [verdict, to === null ? null : (to - noon) / minute]);
  };
  const stale = [
    ['converged', 10],
    ['stale', null],
  ];
  expect(await spansAt(noon + 10 * minute - 1)).toEqual([['converged', null]]);
  expect(await spansAt(noon + 10 * minute)).toEqual(stale);
  expect(await spansAt(noon + 30 * minute - 1)).toEqual(stale);
  expect(await spansAt(noon + 30 * minute)).toEqual([
    ['converged', 10],
    ['stale', 30],
    ['converged', null],
  ]);
  const words = async (at: number) =>
    (await readerAsOf(store, at).coverage('a', { from: noon, to: noon + 60 * minute })).map(
      (one) => (one.at - noon) / minute,
    );
  expect((await words(noon + 10 * minute)).toSorted((a, b) => a - b)).toEqual([0, 10]);
  expect(await words(noon + 10 * minute - 1)).toEqual([0]);
});

it('knows a span from the moment on at which it began', async () => {
  const record = readRecord({ transitions: [transitionOf(ref, noon, { noticedAt: noon, from: null, to: 'stale' })] });
  const store = await memoryStore().source.open();
  const period = { from: noon - 60 * minute, to: noon + 60 * minute };
  const page = { order: 'newest' as const, cursor: null, limit: 10 };
  const found = async (at: number): Promise<readonly number[]> => {
    const then = readerAsOf({ ...store, record }, at).record;
    const { items } = await then.spansIn({ clusters: null }, period, page);
    return [items.length, (await then.spans(ref, period, 10)).length];
  };
  expect(await found(noon - 1)).toEqual([0, 0]);
  expect(await found(noon)).toEqual([1, 1]);
});

it('knows of incidents what was known then, whatever later moment is asked for', async () => {
  const later = noon + 60 * minute;
  const asked: unknown[] = [];
  const page = { cursor: null, limit: 10 };
  const scope = { clusters: null };
  const store = await memoryStore().source.open();
  const record: RecordReader = {
    ...store.record,
    incidents: async (...all) => (asked.push(all), { items: [], next: null }),
    incidentCount: async (...all) => (asked.push(all), 0),
    incident: async (...all) => (asked.push(all), null),
    members: async (...all) => (asked.push(all), { items: [], next: null }),
    membersOfMany: async (...all) => (asked.push(all), []),
    incidentSteps: async (...all) => (asked.push(all), []),
    membershipsOf: async (...all) => (asked.push(all), []),
    causeFigures: async (...all) => (asked.push(all), store.record.causeFigures(...all)),
  };
  const then = readerAsOf({ ...store, record }, noon).record;
  const period = { from: noon - minute, to: later };
  for (const [moment, known] of [
    [later, noon],
    [noon - 1, noon - 1],
  ] as const) {
    asked.length = 0;
    const question = { scope, period, at: moment, order: 'newest' } as const;
    await then.incidents(question, page);
    await then.incidentCount(question, 7);
    await then.incident('id', moment);
    await then.members('id', moment, scope, page);
    await then.membersOfMany(['id'], moment, scope, 5);
    await then.incidentSteps('id', moment, 8);
    await then.membershipsOf(ref, moment, 9);
    await then.causeFigures(scope, period, moment);
    const cut = { ...question, period: { from: noon - minute, to: noon + 1 }, at: known };
    expect(asked).toEqual([
      [cut, page],
      [cut, 7],
      ['id', known],
      ['id', known, scope, page],
      [['id'], known, scope, 5],
      ['id', known, 8],
      [ref, known, 9],
      [scope, period, known],
    ]);
  }
  expect(await then.incidentNews(3, 10)).toEqual({ news: [], position: 0, reset: false });
  expect(await then.incidentsUpTo()).toBe(null);
});

it('knows of calls and of alarm sources what was known then, whatever later moment is asked for', async () => {
  const call = callOf('prom', 1, 100, { to: noon + 500 });
  const record = readRecord({
    calls: [call, callOf('prom', 1, 700)],
    alarmCoverage: [coverageOf('prom', 0, true), coverageOf('prom', 600, false)],
  });
  const store = await memoryStore().source.open();
  const later = noon + 10_000;
  const knownAt = async (ms: number) => {
    const then = readerAsOf({ ...store, record }, noon + ms).record;
    const question = { scope: { clusters: null }, period: { from: noon, to: later }, at: later };
    const { items } = await then.calls(question, { cursor: null, limit: 9 });
    expect(await then.callsOf(refOf('eu', 1), { from: noon, to: later, at: later }, 9)).toEqual(items);
    const coverage = await then.alarmCoverage({ from: noon, to: later });
    expect(await then.alarmCoverage({ from: later, to: later })).toEqual(coverage.slice(-1));
    return [items.map(({ from, to }) => [from - noon, to && to - noon]), coverage.map(({ at }) => at - noon)];
  };
  expect(await knownAt(99)).toEqual([[], [0]]);
  expect(await knownAt(499)).toEqual([[[100, null]], [0]]);
  expect(await knownAt(599)).toEqual([[[100, 500]], [0]]);
  expect(await knownAt(700)).toEqual([
    [
      [700, null],
      [100, 500],
    ],
    [0, 600],
  ]);
});

it('narrows absences by who was called for them down by nothing that came later', async () => {
  const store = await memoryStore().source.open();
  const asked: unknown[] = [];
  const record: RecordReader = {
    ...store.record,
    absencesCalled: async (...all) => (asked.push(all), { items: [], next: null }),
  };
  const then = readerAsOf({ ...store, record }, noon).record;
  const scope = { clusters: null };
  const page = { alarmWithin: minute, called: ['never'], order: 'newest', cursor: null, limit: 10 } as const;
  const period = { from: noon - minute, to: noon + minute };
  const narrowed = { worst: ['stale'], over: { by: noon + minute, is: false } } as const;
  await then.absencesCalled(scope, period, { ...page, ...narrowed });
  await then.absencesCalled(scope, period, page);
  const known = { from: noon - minute, to: noon };
  // It may have been worse since.
  expect(asked).toEqual([
    [scope, known, { ...page, over: { by: noon, is: false } }],
    [scope, known, page],
  ]);
});
