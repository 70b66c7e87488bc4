import { expect, it } from 'vitest';
import { distributionOf, isLowerBound, quantile, spreadOf } from './spread.ts';
import { minute } from '../domain/time/length.ts';

const twenty = Array.from({ length: 20 }, (_, index) => index + 1);

it.each([
  [[], 0.5, null],
  [[7], 0.5, 7],
  [[7], 0.95, 7],
  [[1, 9], 0.5, 1],
  [[1, 2, 9], 0.5, 2],
  [twenty, 0.5, 10],
  [twenty, 0.95, 19],
  [[...twenty, 21], 0.95, 20],
])('of %j, %s of all are no longer than %s', (durations, share, value) => {
  expect(quantile(durations, share)).toBe(value);
});

it.each<[string, number[], number[], number, boolean]>([
  ['none may be longer', [1, 2, 3], [], 0.5, false],
  ['the one in the middle may be longer', [1, 2, 3], [2], 0.5, true],
  ['one below may be longer, which would move the middle', [1, 2, 3], [1], 0.5, true],
  ['only one above may be longer', [1, 2, 3], [3], 0.5, false],
  ['the 95th is above it', [1, 2, 3], [3], 0.95, true],
  ['another of the same length holds the place', [1, 2, 2, 2, 3], [2], 0.5, false],
  ['too few of the same length hold it', [1, 2, 2, 3], [2, 2], 0.5, true],
  ['the only one may be longer', [7], [7], 0.5, true],
  ['there is none', [], [], 0.5, false],
])('a quantile is a lower bound where it may be higher: %s', (_, durations, atLeast, share, bound) => {
  expect(isLowerBound(durations, atLeast, share)).toBe(bound);
});

it('a spread of nothing has neither a median nor a 95th', () => {
  expect(spreadOf([])).toEqual({ count: 0, median: null, p95: null });
  expect(spreadOf(twenty)).toEqual({ count: 20, median: 10, p95: 19 });
});

it('every duration falls into one bar: up to its end and without it', () => {
  const durations = [
    0,
    5 * minute - 1,
    5 * minute,
    15 * minute,
    60 * minute,
    240 * minute,
    1440 * minute,
    9999 * minute,
  ];
  expect(distributionOf(durations).map(({ count }) => count)).toEqual([2, 1, 1, 1, 1, 2]);
  expect(distributionOf([]).map(({ from, to, count }) => [from, to, count])).toEqual([
    [0, 5 * minute, 0],
    [5 * minute, 15 * minute, 0],
    [15 * minute, 60 * minute, 0],
    [60 * minute, 240 * minute, 0],
    [240 * minute, 1440 * minute, 0],
    [1440 * minute, null, 0],
  ]);
});
