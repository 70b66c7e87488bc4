import { describe, expect, it } from 'vitest';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { beginningOf, blockOf, dayAt, packNumbers, dayIndex, unpackNumbers } from './rollup-block.ts';

describe('packed numbers', () => {
  it.each([
    [[]],
    [[0]],
    [[1, 127, 128, 129, 16_383, 16_384]],
    [[2 ** 31, 2 ** 32 + 7, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER]],
    [Array.from({ length: 500 }, (_, index) => index * index)],
  ])('come back as they were: %j', (values) => {
    const [numbers, count] = unpackNumbers(packNumbers(values), new Float64Array(4));
    expect([...numbers.subarray(0, count)]).toEqual(values);
  });

  it('take one byte where they are small', () => {
    expect(packNumbers([0, 5, 127])).toHaveLength(3);
  });
});

describe('blocks of days', () => {
  it.each([0, 1, 7, 8, 20_700, 20_703])('finds day %d again by its block and its place there', (number) => {
    const day = number * dayLength;
    const block = blockOf(day);
    expect(dayAt(block, dayIndex(day))).toBe(day);
    expect(blockOf(day + dayLength - 1)).toBe(block);
    expect(day).toBeGreaterThanOrEqual(beginningOf(block));
    expect(day).toBeLessThan(beginningOf(block + 1));
  });
});
