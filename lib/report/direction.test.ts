import { expect, it } from 'vitest';
import { compare, isBeyondNoise, wasText, type Better } from './direction.ts';
import { writeAmount, writeCount, writeLength, writeObjectTime, writeParts, writeShare } from './write-figure.ts';
import { hour, minute, second } from '../domain/time/length.ts';

const share = (better: Better, fair = true) => ({ write: writeShare, unit: 'share' as const, better, fair });
const count = (better: Better, fair = true) => ({ write: writeCount, unit: 'count' as const, better, fair });

it.each([
  ['more is better', compare(0.981, 0.977, share('higher')), 'was 97.70 %, better'],
  ['less is worse', compare(0.977, 0.981, share('higher')), 'was 98.10 %, worse'],
  ['fewer are better', compare(30, 60, count('lower')), 'was 60, better'],
  ['more are worse', compare(5, 0, count('lower')), 'was none, worse'],
  ['what differs by less than noise', compare(0.9913, 0.9915, share('higher')), 'was 99.15 %, about the same'],
  ['three and four', compare(3, 4, count('lower')), 'was 4, about the same'],
  ['neither better nor worse', compare(4, 3, count('neither')), 'was 3'],
  ['nothing is known of before', compare(4, undefined, count('lower')), ''],
  ['nothing can be said of before', compare(0.9, null, share('higher')), 'was cannot be said'],
  ['nothing can be said of now', compare(null, 0.9, share('higher')), 'was 90.00 %'],
  ['amounts of unlike records', compare(4, 3, count('lower', false)), 'was 3'],
] as const)('%s', (_what, compared, text) => {
  expect(wasText(compared)).toBe(text);
});

it.each([
  [null, 'none'],
  [0, '0 s'],
  [400, 'under 1 s'],
  [1, 'under 1 s'],
  [999, 'under 1 s'],
  [1_000, '1 s'],
  [59_999, '59 s'],
  [minute, '1 min'],
  [3_599_000, '59 min 59 s'],
  [250_000, '4 min 10 s'],
  [240_000, '4 min'],
  [hour, '1 h'],
  [3_725_000, '1 h 2 min'],
])('a length of %s ms is written %s', (ms, text) => {
  expect(writeLength(ms)).toBe(text);
});

it.each([
  [null, 'cannot be said'],
  [0, 'none'],
  [1, 'under 1 s'],
  [999, 'under 1 s'],
  [1_000, '1 s'],
  [hour, '1 h'],
])('an amount of %s ms is written %s', (ms, text) => {
  expect(writeAmount(ms)).toBe(text);
});

it.each([
  [null, 'cannot be said'],
  [0, '0 %'],
  [0.00004, 'under 0.01 %'],
  [0.0004, '0.04 %'],
  [0.0123, '1.23 %'],
  [0.986, '98.60 %'],
  [0.999951, 'over 99.99 %'],
  [0.99872, '99.87 %'],
  [0.99994, '99.99 %'],
  [1, '100 %'],
])('a share of %s is written %s', (value, text) => {
  expect(writeShare(value)).toBe(text);
});

it('parts are written so that they add up with what they are not', () => {
  expect(writeParts([1, 1, 1], 997, 1000)).toEqual(['0.10 %', '0.10 %', '0.10 %']);
  expect(writeParts([1, 1, 0], 2, 3)).toEqual(['16.67 %', '16.66 %', '0 %']);
  expect(writeParts([1, 99_999], 0, 100_000)).toEqual(['under 0.01 %', 'over 99.99 %']);
  expect(writeParts([3, 0], 0, 3)).toEqual(['100 %', '0 %']);
});

it.each([
  [null, 'cannot be said'],
  [0, 'none'],
  [359_999, 'under 0.1 object-hours'],
  [360_000, '0.1 object-hours'],
  [hour, '1 object-hour'],
  [5_400_000, '1.5 object-hours'],
  [35_999_999, '9.9 object-hours'],
  [36_000_000, '10 object-hours'],
  [36_360_000, '10 object-hours'],
  [1, 'under 0.1 object-hours'],
  [7_200_000, '2 object-hours'],
  [10_101_600_000, '2,806 object-hours'],
])('object time of %s ms is written %s', (ms, text) => {
  expect(writeObjectTime(ms)).toBe(text);
});

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
  ['25.0 and 27.5 %', 'share', 0.275, 0.25, true],
  ['a tenth of a percentage point', 'share', 0.001, 0, true],
  ['less than a tenth of one', 'share', 0.0009, 0, false],
  ['8 and 24 of chance', 'count', 8, 24, true],
  ['6 and 18, just twice the root', 'count', 18, 6, true],
  ['1 and 5', 'count', 5, 1, false],
  ['4 and none, just twice the root', 'count', 4, 0, false],
  ['1,000 and 1,100, a tenth', 'count', 1_100, 1_000, true],
  ['a minute of none', 'length', minute, 0, true],
  ['less than a minute of none', 'length', minute - 1, 0, false],
  ['six minutes of an hour', 'length', 54 * minute, 60 * minute, true],
] as const)('%s', (_what, unit, now, before, beyond) => {
  expect(isBeyondNoise(unit, now, before)).toBe(beyond);
});
