import { expect, it } from 'vitest';
import { lengthOf } from '../record/flat-stretches.ts';
import { timeUnion } from './time-union.ts';

function unionOf(stretches: readonly (readonly [number, number])[]): readonly number[] {
  const union = timeUnion();
  for (const [from, to] of stretches) union.add(from, to);
  return [...union.stretches()];
}

it.each([
  ['nothing', [], []],
  ['an empty stretch', [[5, 5]], []],
  ['one', [[5, 7]], [5, 7]],
  [
    'two apart, the later first',
    [
      [8, 9],
      [5, 7],
    ],
    [5, 7, 8, 9],
  ],
  [
    'two that touch',
    [
      [5, 7],
      [7, 9],
    ],
    [5, 9],
  ],
  [
    'two that overlap',
    [
      [5, 8],
      [7, 9],
    ],
    [5, 9],
  ],
  [
    'one within another',
    [
      [5, 9],
      [6, 7],
    ],
    [5, 9],
  ],
  [
    'the same twice',
    [
      [5, 9],
      [5, 9],
      [10, 11],
    ],
    [5, 9, 10, 11],
  ],
] as const)('%s', (_what, stretches, union) => {
  expect(unionOf(stretches)).toEqual(union);
});

it('is what a look at every moment tells, however many there are', () => {
  const stretches = Array.from({ length: 5_000 }, (_, index) => {
    const from = (index * 7_919) % 60_000;
    return [from, from + (index % 17)] as const;
  });
  const covered = new Set<number>();
  for (const [from, to] of stretches) for (let at = from; at < to; at++) covered.add(at);
  const union = unionOf(stretches);
  expect(lengthOf(Float64Array.from(union))).toBe(covered.size);
  for (let place = 0; place < union.length; place++) expect(union[place]).toBeGreaterThan(union[place - 1] ?? -1);
});

it('is the same in whatever order stretches come, and goes on after it was told', () => {
  const random = Array.from({ length: 9_000 }, (_, index) => {
    const from = (index * 48_271) % 1_000_003;
    return [from, from + 1 + (index % 90)] as const;
  });
  const inOrder = random.toSorted(([a], [b]) => a - b);
  const whole = unionOf(inOrder);
  expect(unionOf(random)).toEqual(whole);
  expect(unionOf(random.toReversed())).toEqual(whole);
  const union = timeUnion();
  for (const [index, [from, to]] of random.entries()) {
    union.add(from, to);
    if (index % 1_000 === 999) union.stretches();
  }
  expect([...union.stretches()]).toEqual(whole);
});

it.each([511, 1_023, 2_047, 5_000])('a stretch that overlaps the last of all, behind %i of another run', (count) => {
  const long = [10_000, 20_000] as const;
  const short = Array.from({ length: count }, (_, index) => [2 * index, 2 * index + 1] as const);
  const covered = (count * 2 > long[0] ? long[0] / 2 : count) + 30_000 - 10_000;
  const union = timeUnion();
  for (const [from, to] of [long, ...short, [15_000, 30_000] as const]) union.add(from, to);
  expect(lengthOf(union.stretches())).toBe(covered);
});
