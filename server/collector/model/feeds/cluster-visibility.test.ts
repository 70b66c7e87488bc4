import { expect, it } from 'vitest';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { noon } from '#lib/domain/testing/observed.ts';
import { clusterOf } from '#test/contract/store-records.ts';
import { createClusterVisibility } from './cluster-visibility.ts';

const lost = { type: 'unreachable', message: 'no route' } as const;

function bed(before: CurrentCluster | null = null) {
  const notes: unknown[] = [];
  const seen = createClusterVisibility(noon, before, ({ kind, ...change }) => void notes.push(kind ?? change));
  const connect = (at = noon) => seen.connect({ type: 'connected', at, protocol: 'h2', version: 'v1.34.3' });
  return {
    seen,
    notes,
    connect,
    live(at = noon): void {
      connect(at);
      seen.receive(at);
      seen.assess(null, at);
    },
    told: (at: number) => {
      const { state, since, reason, validUntil } = seen.current(at);
      return [state, since, reason, validUntil];
    },
  };
}

it('is not seen by itself, before its session is connected', () => {
  const { seen, connect, told, notes } = bed();
  expect(seen.assess(null, noon)).toBe(false);
  expect(told(noon + 7)).toEqual(['connecting', noon, null, noon + 7]);
  connect();
  expect(seen.assess(null, noon + 1)).toBe(true);
  expect(told(noon + 1)).toEqual(['live', noon + 1, null, noon + 45_000]);
  expect(notes).toEqual([{ at: noon + 1, observed: true, state: 'live', reason: null }]);
});

it('is lost 8 s after its session was, since then, and for good', () => {
  const { seen, live, told, notes } = bed();
  live();
  expect([seen.next(), seen.wasLost(), seen.unseen().to]).toEqual([null, false, noon]);
  expect(seen.disconnect(lost, noon + 10)).toBe(false);
  expect(seen.disconnect({ ...lost, message: 'later' }, noon + 20)).toBe(false);
  expect([seen.next(), seen.settle(noon + 8_009)]).toEqual([noon + 8_010, false]);
  expect([seen.heardUntil(noon + 9), seen.heardUntil(noon + 8_009)]).toEqual([noon + 9, noon + 10]);
  expect(told(noon + 8_009)[0]).toBe('live');
  expect(seen.wasLost()).toBe(false);
  expect(seen.settle(noon + 8_010)).toBe(true);
  expect(told(noon + 8_010)).toEqual(['unreachable', noon + 10, 'no route', noon + 8_010]);
  expect([seen.wasLost(), seen.next(), seen.settle(noon + 9_000)]).toEqual([true, null, false]);
  expect(seen.heardUntil(noon + 9_000)).toBe(noon + 9_000);
  expect(seen.unseen()).toEqual({ from: noon + 10, to: Infinity });
  expect(notes.slice(1)).toEqual([{ at: noon + 10, observed: false, state: 'unreachable', reason: 'no route' }]);
  live(noon + 20_000);
  expect(seen.unseen()).toEqual({ from: noon + 10, to: noon + 20_000 });
  expect(notes.slice(2)).toEqual([{ at: noon + 20_000, observed: true, state: 'live', reason: null }]);
});

it('is not lost where its session is there again within the grace', () => {
  const { seen, live, connect, told } = bed();
  live();
  seen.disconnect(lost, noon + 10);
  expect(seen.assess(null, noon + 11)).toBe(false);
  connect(noon + 12);
  expect([seen.next(), seen.assess(null, noon + 13), told(noon + 13)[0], seen.wasLost()]).toEqual([
    null,
    false,
    'live',
    false,
  ]);
});

it('is not seen for another reason since the first', () => {
  const { seen, told, notes } = bed();
  expect(seen.disconnect(lost, noon + 5)).toBe(true);
  expect(seen.disconnect({ type: 'credentials', message: 'no plugin' }, noon + 9)).toBe(true);
  expect(seen.disconnect({ type: 'credentials', message: 'no plugin' }, noon + 10)).toBe(false);
  expect(told(noon + 11)).toEqual(['misconfigured', noon, 'no plugin', noon + 11]);
  expect([seen.wasLost(), notes]).toEqual([true, []]);
});

it('is not vouched for 45 s after its last word, and is heard again since the next', () => {
  const { seen, live, told } = bed();
  live();
  expect([seen.liveSince(noon + 44_999), seen.liveSince(noon + 45_000)]).toEqual([noon, null]);
  expect(told(noon + 50_000)).toEqual(['live', noon, null, noon + 45_000]);
  seen.receive(noon + 44_999);
  expect([seen.liveSince(noon + 50_000), seen.wasLost()]).toEqual([noon, false]);
  seen.receive(noon + 89_999);
  expect([seen.liveSince(noon + 90_000), seen.wasLost()]).toEqual([noon + 89_999, true]);
});

it('stands for what is declared, and is no cluster', () => {
  const { seen, told } = bed();
  expect([seen.declare(noon + 1), seen.declare(noon + 2)]).toEqual([true, false]);
  expect(told(noon + 3)).toEqual([
    'declared',
    noon,
    'It stands for what plumbline.yaml declares; there is no cluster to read.',
    noon + 3,
  ]);
});

it.each<[CurrentCluster['state'], number, number | null, number, boolean]>([
  ['live', noon - 5, null, noon, false],
  ['live', noon - 5, noon - 9, noon - 9, false],
  ['connecting', noon - 5, noon - 9, noon - 9, true],
  ['unreachable', noon - 20, noon - 30, noon - 20, true],
  ['unauthorized', noon - 20, noon - 30, noon - 20, true],
  ['misconfigured', noon - 20, noon - 30, noon - 20, true],
  ['declared', noon - 20, noon - 30, noon - 30, true],
])('goes on from a cluster that was %s', (state, since, lastWordAt, from, wasLost) => {
  const { seen } = bed({ ...clusterOf('c1'), state, since, lastWordAt });
  expect([seen.wasLost(), seen.current(noon).lastWordAt, seen.liveSince(noon)]).toEqual([wasLost, lastWordAt, null]);
  expect(seen.unseen()).toEqual({ from, to: Infinity });
});

it('is blind since its kinds are, no earlier than it was connected to and no later than now', () => {
  const blind = { state: 'unauthorized', reason: 'None of its kinds can be read: RBAC', since: noon + 3 } as const;
  const { seen, live, told } = bed();
  live();
  expect(seen.assess(blind, noon + 9)).toBe(true);
  expect(told(noon + 9)).toEqual(['unauthorized', noon + 3, blind.reason, noon + 9]);
});
