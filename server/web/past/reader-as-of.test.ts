import { expect, it } from 'vitest';
import type { Incident } from '#lib/domain/record/incident.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import { readRecord } from '#server/store/record/record.ts';
import { noon, refOf, transitionOf } from '#test/contract/store-records.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { incidentAsOf, readerAsOf } from './reader-as-of.ts';

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

it('tells of an incident nothing that came later: not its end, and not what was worse then', async () => {
  const turned = (minutes: number, from: Verdict | null, to: Verdict) =>
    transitionOf(ref, noon + minutes * minute, {
      uid: 'one',
      noticedAt: noon + minutes * minute,
      from,
      to,
      reason: `because ${to}`,
    });
  const range = { lastGood: 'a', firstBad: 'b', seenBetween: 0, watched: true };
  const incident: Incident = {
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
    incidents: [incident],
  });
  const store = await memoryStore().source.open();
  const incidentAt = async (minutes: number): Promise<Incident | undefined> => {
    const at = noon + minutes * minute;
    const then = readerAsOf({ ...store, record }, at).record;
    const page = { order: 'newest' as const, cursor: null, limit: 10 };
    return (await then.incidents({ clusters: null }, { from: noon, to: noon + 60 * minute }, page)).items[0];
  };
  expect(await incidentAt(4)).toBeUndefined();
  expect(await incidentAt(7)).toMatchObject({ worst: 'behind', reason: 'because behind', closedAt: null, ended: null });
  expect(await incidentAt(17)).toMatchObject({ worst: 'stale', reason: 'because stale', closedAt: null, range: null });
  expect(await incidentAt(25)).toMatchObject({ worst: 'diverged', reason: 'because diverged', closedAt: null, range });
  expect(await incidentAt(40)).toEqual(incident);
  expect(await incidentAt(5 - 1 / 60_000)).toBeUndefined();
  expect(await incidentAt(5)).toMatchObject({ worst: 'behind', closedAt: null });
  expect(await incidentAt(20 - 1 / 60_000)).toMatchObject({ worst: 'stale' });
  expect(await incidentAt(20)).toMatchObject({ worst: 'diverged', closedAt: null });
  expect(await incidentAt(30 - 1 / 60_000)).toMatchObject({ worst: 'diverged', closedAt: null });
  expect(await incidentAt(30)).toEqual(incident);

  const asked: unknown[] = [];
  const spans: typeof record.spans = async (of, period, limit) => {
    asked.push(of, period, limit);
    return (await record.spans(of, period, limit)).map((span) => ({ ...span, uid: 'another' }));
  };
  const at = noon + 17 * minute;
  expect(await incidentAsOf({ spans }, incident, at)).toEqual({
    ...incident,
    range: null,
    closedAt: null,
    ended: null,
  });
  expect(asked).toEqual([ref, { from: incident.noticedAt, to: at + 1 }, 1_000]);
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
