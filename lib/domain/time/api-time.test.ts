import { expect, it } from 'vitest';
import { lastMomentOf, mayBeSince, lastMomentReceived, noLaterThan } from './api-time.ts';
import { noon } from '../testing/observed.ts';

it('a whole second stands for any moment of it, a time with a fraction for itself', () => {
  expect(lastMomentOf(noon)).toBe(noon + 999);
  expect(lastMomentOf(noon + 123)).toBe(noon + 123);
});

it('nothing came about later than it was heard of', () => {
  expect(lastMomentReceived(noon, noon + 400)).toBe(noon + 400);
  expect(lastMomentReceived(noon, noon + 4_000)).toBe(noon + 999);
  expect(noLaterThan(noon + 4_000, noon)).toBe(noon);
});

it.each([
  [noon, noon + 999, true],
  [noon, noon + 1_000, false],
  [noon, noon - 1, true],
  [noon + 500, noon + 501, false],
])('%d may be since %d: %s', (dated, moment, expected) => {
  expect(mayBeSince(dated, moment)).toBe(expected);
});
