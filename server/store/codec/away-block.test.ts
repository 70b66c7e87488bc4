import { expect, it } from 'vitest';
import { eachAwayList, packAway, type AwayList } from './away-block.ts';

function decoded(lists: readonly AwayList[]): readonly AwayList[] {
  const found: AwayList[] = [];
  eachAwayList(packAway(lists), (of, id, numbers, begin, end) =>
    found.push({ of, id, stretches: [...numbers.slice(begin, end)] }),
  );
  return found;
}

it('every list is read as it was packed', () => {
  const lists: readonly AwayList[] = [
    { of: 'cluster', id: 0, stretches: [0, 10, 20, 691_200_000] },
    { of: 'kind', id: 7, stretches: [0, 10] },
    { of: 'kind', id: 9, stretches: [] },
    { of: 'applier', id: 123_456, stretches: [20, 691_200_000] },
  ];
  expect(decoded(lists)).toEqual(lists);
  expect(decoded([])).toEqual([]);
});
