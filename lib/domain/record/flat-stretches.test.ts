import { expect, it } from 'vitest';
import { differenceOf, intersectionOf, lengthOf, reachingInto, unionOf, type FlatStretches } from './flat-stretches.ts';

/** Stretches within a hundred ms, other ones for each seed. */
function someOf(seed: number): FlatStretches {
  const list: number[] = [];
  let at = seed % 5;
  for (let step = 1; at < 100; step++) {
    const to = at + 1 + ((seed * 7 + step * 3) % 6);
    list.push(at, to);
    at = to + 1 + ((seed + step * 5) % 9);
  }
  return Float64Array.from(list);
}

function covers(list: FlatStretches, at: number): boolean {
  for (let place = 0; place < list.length; place += 2)
    if ((list[place] ?? 0) <= at && at < (list[place + 1] ?? 0)) return true;
  return false;
}

it.each([1, 2, 3, 4, 5])('two lists have in common every moment that both cover, and no other (%i)', (seed) => {
  const [a, b] = [someOf(seed), someOf(seed + 11)];
  const both = intersectionOf(a, b);
  const moments = Array.from({ length: 120 }, (_, at) => at).filter((at) => covers(a, at) && covers(b, at));
  expect(moments.length).toBeGreaterThan(5);
  expect(lengthOf(both)).toBe(moments.length);
  for (const at of moments) expect(covers(both, at)).toBe(true);
});

it.each([1, 2, 3, 4, 5])(
  'one list without another, and both together, have the moments that they should (%i)',
  (seed) => {
    const [a, b] = [someOf(seed), someOf(seed + 11)];
    const [only, either] = [differenceOf(a, b), unionOf(a, b)];
    for (let at = 0; at < 120; at++) {
      expect(covers(only, at)).toBe(covers(a, at) && !covers(b, at));
      expect(covers(either, at)).toBe(covers(a, at) || covers(b, at));
    }
    expect(lengthOf(only) + lengthOf(intersectionOf(a, b))).toBe(lengthOf(a));
    // None touches the next.
    for (let place = 2; place < either.length; place += 2)
      expect(either[place]).toBeGreaterThan(either[place - 1] ?? 0);
  },
);

it.each([1, 2, 3, 4, 5])('those that reach into a time are all that have any of it (%i)', (seed) => {
  const list = someOf(seed);
  for (let from = 0; from < 110; from += 3) {
    const time = Float64Array.of(from, from + 1 + (seed % 4));
    const reaching = reachingInto(list, from, time[1] ?? 0);
    expect([...intersectionOf(reaching, time)]).toEqual([...intersectionOf(list, time)]);
    for (let place = 0; place < reaching.length; place += 2)
      expect(lengthOf(intersectionOf(reaching.slice(place, place + 2), time))).toBeGreaterThan(0);
  }
});

it.each([
  [[], [1, 2]],
  [
    [1, 2],
    [2, 3],
  ],
])('%j and %j have nothing in common', (a, b) => {
  expect(intersectionOf(Float64Array.from(a), Float64Array.from(b))).toHaveLength(0);
});

it('what ends together is left together', () => {
  const [a, b] = [Float64Array.of(0, 4, 6, 9), Float64Array.of(2, 4, 5, 9, 10, 11)];
  expect([...intersectionOf(a, b)]).toEqual([2, 4, 6, 9]);
  expect([lengthOf(a), lengthOf(Float64Array.of())]).toEqual([7, 0]);
});
