import { expect, it } from 'vitest';
import { createRestingPlace, type Sleeper } from './resting-place.ts';

function sleepers(count: number): readonly (Sleeper & { readonly rested: () => number })[] {
  return Array.from({ length: count }, () => {
    let rested = 0;
    return { lookedAt: false, rest: () => void (rested += 1), rested: () => rested };
  });
}

function restedOf(all: ReturnType<typeof sleepers>): readonly number[] {
  return all.map(({ rested }) => rested());
}

it('who was woken is laid to rest when others are, unless looked at since', () => {
  const place = createRestingPlace(undefined, 2, 0);
  const all = sleepers(4);
  const [first] = all;
  for (const [index, sleeper] of all.entries()) {
    if (index === 2 && first) first.lookedAt = true;
    place.wakes(sleeper);
  }
  expect(restedOf(all)).toEqual([1, 1, 0, 0]);
  expect(first?.lookedAt).toBe(false);
});

it('who is new stays awake until its first judgement, however many there are in other clusters', () => {
  const place = createRestingPlace(undefined, 1, 3);
  const all = sleepers(3);
  for (const sleeper of all) place.welcomes(sleeper);
  expect(restedOf(all)).toEqual([0, 0, 0]);
  for (const sleeper of all) place.settles(sleeper);
  expect(restedOf(all)).toEqual([1, 1, 0]);
});

it('where too many are new, those that come then are as those that were woken', () => {
  const place = createRestingPlace(undefined, 1, 1);
  const all = sleepers(4);
  for (const sleeper of all) place.welcomes(sleeper);
  expect(restedOf(all)).toEqual([0, 1, 1, 0]);
  // It rests already: that it is judged now takes nobody else's place.
  if (all[1]) place.settles(all[1]);
  expect(restedOf(all)).toEqual([0, 1, 1, 0]);
  if (all[0]) place.settles(all[0]);
  expect(restedOf(all)).toEqual([0, 1, 1, 1]);
});

it('who is gone before it was judged takes no room', () => {
  const place = createRestingPlace(undefined, 1, 2);
  const all = sleepers(4);
  for (const sleeper of all.slice(0, 2)) {
    place.welcomes(sleeper);
    place.leaves(sleeper);
  }
  for (const sleeper of all.slice(2)) place.welcomes(sleeper);
  expect(restedOf(all)).toEqual([0, 0, 0, 0]);
});
