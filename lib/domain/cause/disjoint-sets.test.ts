import { expect, it } from 'vitest';
import { disjointSets } from './disjoint-sets.ts';

/** Numbers that are made up, always the same. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
}

it.each([1, 2, 3, 4, 5])('are those that were joined, whatever comes first (%s)', (seed) => {
  const [count, next] = [60, random(seed)];
  const sets = disjointSets(count);
  const naive = Array.from({ length: count }, (_, number) => number);
  for (let n = 0; n < 70; n += 1) {
    const [one, other] = [next(count), next(count)];
    sets.join(one, other);
    const [a = 0, b = 0] = [naive[one], naive[other]];
    for (const [number, first] of naive.entries()) if (first === a || first === b) naive[number] = Math.min(a, b);
    expect(naive.map((_, number) => sets.firstOf(number))).toEqual(naive);
  }
});
