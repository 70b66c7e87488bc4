import { expect, it } from 'vitest';
import type { Incident } from '#lib/domain/record/incident.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import { readRecord } from '#server/store/record/record.ts';
import { noon, refOf, transitionOf } from '#test/contract/store-records.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { readerAsOf } from './reader-as-of.ts';

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
