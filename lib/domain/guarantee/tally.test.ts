import { expect, it } from 'vitest';
import {
  addInto,
  cellsFilter,
  countInto,
  countOfCells,
  emptyTally,
  everything,
  guaranteeCounts,
  verdictCounts,
} from './tally.ts';
import { guarantees } from './guarantee.ts';
import { verdicts } from '../verdict/verdict.ts';

/** So many objects of each verdict and guarantee that no two sums are the same. */
function filled(): number[] {
  const tally = emptyTally();
  for (const [row, verdict] of verdicts.entries())
    for (const [column, guarantee] of guarantees.entries())
      for (let n = 0; n < (row + 1) * (column + 2); n++) countInto(tally, verdict, guarantee);
  return tally;
}

it('counts each object once, in its cell', () => {
  expect(emptyTally()).toEqual(verdicts.flatMap(() => [0, 0, 0, 0, 0, 0]));
  expect(filled()).toEqual(verdicts.flatMap((_, row) => guarantees.map((__, column) => (row + 1) * (column + 2))));
  expect(countOfCells(filled(), everything)).toBe(66 * 27);
  expect(guaranteeCounts(filled())).toEqual({
    holds: 132,
    broken: 198,
    off: 264,
    unknown: 330,
    planned: 396,
    declared: 462,
  });
  expect([...verdictCounts(filled()).values()]).toEqual(verdicts.map((_, row) => (row + 1) * 27));
  expect([...verdictCounts(filled(), ['off'])].slice(0, 2)).toEqual([
    ['diverged', 4],
    ['drifted', 8],
  ]);
  expect(verdictCounts(emptyTally()).size).toBe(0);
});

it('adds one tally to another', () => {
  const sum = filled();
  addInto(sum, filled());
  addInto(sum, emptyTally());
  expect(sum).toEqual(filled().map((n) => 2 * n));
});

it('filters by what narrows the tally', () => {
  const tally = emptyTally();
  countInto(tally, 'stale', 'broken');
  countInto(tally, 'behind', 'off');
  countInto(tally, 'stale', 'off');
  expect(cellsFilter(tally, everything)).toEqual({});
  expect(cellsFilter(tally, { verdicts, guarantees: ['broken'] })).toEqual({ guarantee: 'broken' });
  expect(cellsFilter(tally, { verdicts: ['stale'], guarantees })).toEqual({ verdict: 'stale' });
  expect(cellsFilter(tally, { verdicts: ['behind'], guarantees: ['off'] })).toEqual({ verdict: 'behind' });
  expect(cellsFilter(tally, { verdicts: ['stale'], guarantees: ['off', 'planned'] })).toEqual({
    verdict: 'stale',
    guarantee: 'off,planned',
  });
});
