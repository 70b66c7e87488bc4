import { expect, it } from 'vitest';
import { isBeyondNoise } from './noise.ts';
import { hour, minute, second } from '../domain/time/length.ts';

it.each([
  ['two seconds in a month', 'time', 40 * hour, 40 * hour - 2 * second, false],
  ['half an hour of nothing', 'time', hour / 2, 0, false],
  ['an hour of nothing', 'time', hour, 0, true],
  ['five hours of a hundred', 'time', 95 * hour, 100 * hour, false],
  ['ten hours of a hundred', 'time', 90 * hour, 100 * hour, true],
  ['3 and 4', 'count', 3, 4, false],
  ['4 and 3', 'count', 4, 3, false],
  ['0 and 4', 'count', 0, 4, false],
  ['0 and 5', 'count', 0, 5, true],
  ['100 and 128', 'count', 100, 128, false],
  ['100 and 140', 'count', 100, 140, true],
  ['10,300 and 10,000', 'count', 10_300, 10_000, false],
  ['a median two seconds shorter', 'length', 118 * second, 120 * second, false],
  ['a median a minute shorter', 'length', 2 * minute, 3 * minute, true],
  ['a median a minute shorter of two hours', 'length', 119 * minute, 120 * minute, false],
  ['98.28 and 98.30 %', 'share', 0.9828, 0.983, false],
  ['99.0 and 99.2 %', 'share', 0.992, 0.99, true],
  ['50 and 51 %', 'share', 0.51, 0.5, false],
  ['all and 99.8 %', 'share', 0.998, 1, true],
  ['the same', 'share', 1, 1, false],
] as const)('%s', (_what, unit, now, before, beyond) => {
  expect(isBeyondNoise(unit, now, before)).toBe(beyond);
});
