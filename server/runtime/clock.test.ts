import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';

/** Longest wait that a timer of Node holds (ms); a longer one would end after 1 ms. */
const longest = 2 ** 31 - 1;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([1_000, longest, longest + 1, longest * 3 + 5])('a wait of %d ms ends after it, not before', (delay) => {
  let ended = 0;
  systemClock.after(delay, () => (ended += 1));
  vi.advanceTimersByTime(delay - 1);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});

it('a wait without end never ends', () => {
  let ended = 0;
  const timer = systemClock.after(Number.POSITIVE_INFINITY, () => (ended += 1));
  vi.advanceTimersByTime(longest * 4);
  expect(ended).toBe(0);
  timer.cancel();
  expect(vi.getTimerCount()).toBe(0);
});

it('a long wait can be cancelled in any of its parts', () => {
  let ended = 0;
  const timer = systemClock.after(longest * 3, () => (ended += 1));
  vi.advanceTimersByTime(longest + 1);
  timer.cancel();
  vi.advanceTimersByTime(longest * 3);
  expect(ended).toBe(0);
});
