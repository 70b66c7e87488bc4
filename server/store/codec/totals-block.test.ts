import { expect, it } from 'vitest';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { eachTotal, packTotals } from './totals-block.ts';

function sumsOf(first: number, second: number): readonly number[] {
  return verdicts.map((_, position) => (position === 0 ? first : position === 1 ? second : 0));
}

function decoded(entries: Parameters<typeof packTotals>[0]) {
  const [days, kinds]: (readonly [number, readonly number[]])[][] = [[], []];
  eachTotal(
    packTotals(entries),
    (day, numbers, begin) => days?.push([day, [...numbers.slice(begin, begin + verdicts.length)]]),
    (kind, numbers, begin) => kinds?.push([kind, [...numbers.slice(begin, begin + verdicts.length)]]),
  );
  return { days, kinds };
}

const none = sumsOf(0, 0);

it('a block comes to the sums of its days and of its kinds', () => {
  const { days, kinds } = decoded([
    { day: 0, kind: 7, sums: sumsOf(2 ** 40, 1) },
    { day: 0, kind: 9, sums: sumsOf(5, 0) },
    { day: 3, kind: 7, sums: sumsOf(1, 10) },
  ]);
  expect(days).toEqual([
    [0, sumsOf(2 ** 40 + 5, 1)],
    [1, none],
    [2, none],
    [3, sumsOf(1, 10)],
    ...[4, 5, 6, 7].map((day) => [day, none]),
  ]);
  expect(kinds).toEqual([
    [7, sumsOf(2 ** 40 + 1, 11)],
    [9, sumsOf(5, 0)],
  ]);
});

it('a block in which nothing was comes to nothing', () => {
  const { days, kinds } = decoded([]);
  expect(kinds).toEqual([]);
  expect(days).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((day) => [day, none]));
});
