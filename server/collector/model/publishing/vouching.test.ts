import { expect, it } from 'vitest';
import { noon } from '#lib/domain/testing/observed.ts';
import { createFeedTracker } from '../feeds/feed-tracker.ts';
import { createVouching } from './vouching.ts';

/** The row of a cluster of which nothing is known but what the feeds tell. */
function bed() {
  const feeds = createFeedTracker('c1', {}, noon, null);
  const now: { open: boolean; news: number | null } = { open: true, news: null };
  const vouching = createVouching({
    feeds,
    controllers: { current: () => [] },
    graph: { loops: () => [], ofKind: () => [], dependentsOf: () => [] },
    conflicts: { current: () => ({ conflicts: [], conflictsTotal: 0 }), due: () => now.news },
    alarming: { current: () => ({ facts: [], cut: [] }), due: () => null },
    time: { ahead: () => 2_000 },
    gate: { isOpen: () => now.open },
    cautions: () => ['Its certificate is not verified.'],
  });
  const live = () => {
    feeds.take({ type: 'connected', at: noon, protocol: 'h2', version: null });
    feeds.settle(noon);
  };
  return { vouching, now, live, isDue: (at: number) => vouching.due(at) !== null };
}

it('is written at first, when something changed, and each 10 s', () => {
  const { vouching, isDue } = bed();
  expect([isDue(noon), isDue(noon), vouching.next()]).toEqual([true, false, noon + 10_000]);
  vouching.changed();
  expect([isDue(noon + 1), isDue(noon + 1), vouching.next()]).toEqual([true, false, noon + 10_001]);
  expect([isDue(noon + 10_000), isDue(noon + 10_001)]).toEqual([false, true]);
});

it('is written when its conflicts are due, and where the clock was set back', () => {
  const { now, isDue } = bed();
  expect(isDue(noon)).toBe(true);
  now.news = noon + 5;
  expect([isDue(noon + 4), isDue(noon + 5)]).toEqual([false, true]);
  now.news = null;
  expect([isDue(noon + 5), isDue(noon + 4), isDue(noon + 4)]).toEqual([false, true, false]);
});

it('is written once at the very beginning of time', () => {
  const { isDue } = bed();
  expect([isDue(1), isDue(1)]).toEqual([true, false]);
});

it('is of a cluster that is connected to, for nobody to believe, until it is judged', () => {
  const { vouching, now, live } = bed();
  const told = (at = noon) => {
    const { state, validUntil, clockAhead, cautions } = vouching.current(at);
    expect(cautions).toEqual(['Its certificate is not verified.']);
    return [state, validUntil, clockAhead];
  };
  now.open = false;
  expect(told()).toEqual(['connecting', noon, 2_000]);
  live();
  expect(told(noon + 1)).toEqual(['connecting', noon + 1, 2_000]);
  expect(told(noon + 45_000)).toEqual(['live', noon + 45_000, 2_000]);
  now.open = true;
  expect(told(noon + 1)).toEqual(['live', noon + 45_000, 2_000]);
});
