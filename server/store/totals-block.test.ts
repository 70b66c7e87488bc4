import { expect, it } from 'vitest';
import { verdicts } from '#lib/domain/verdict.ts';
import { packTotals, readTotals } from './totals-block.ts';

function sumsOf(first: number, second: number): readonly number[] {
  return verdicts.map((_, place) => (place === 0 ? first : place === 1 ? second : 0));
}

it('a block comes to the sums of its days and of its kinds', () => {
  const { days, kinds, ofKinds } = readTotals(
    packTotals([
      { day: 0, kind: 7, sums: sumsOf(2 ** 40, 1) },
      { day: 0, kind: 9, sums: sumsOf(5, 0) },
      { day: 3, kind: 7, sums: sumsOf(1, 10) },
    ]),
  );
  const none = [...sumsOf(0, 0)];
  expect(days.map((sums) => [...sums])).toEqual([
    sumsOf(2 ** 40 + 5, 1),
    none,
    none,
    sumsOf(1, 10),
    ...Array.from({ length: 4 }, () => none),
  ]);
  expect([...kinds]).toEqual([7, 9]);
  expect(ofKinds.map((sums) => [...sums])).toEqual([sumsOf(2 ** 40 + 1, 11), sumsOf(5, 0)]);
});

it('a block in which nothing was comes to nothing', () => {
  const { days, kinds } = readTotals(packTotals([]));
  expect(kinds).toHaveLength(0);
  expect(days.every((sums) => sums.every((time) => time === 0))).toBe(true);
});
