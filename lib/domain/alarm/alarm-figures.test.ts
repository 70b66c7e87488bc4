import { expect, it } from 'vitest';
import { isFirstLate } from './alarm-figures.ts';

it.each<[string, number, number | null, boolean | null]>([
  ['before the deadline', 14, null, false],
  ['before the deadline, out of the unknown', 14, 5, false],
  ['at the deadline', 15, null, true],
  ['after the deadline', 20, null, true],
  ['after what was unknown before the deadline', 20, 14, null],
  ['after what was unknown from the deadline on alone', 20, 15, true],
])('the first call for an incident came %s', (_, after, unknownAfter, late) => {
  expect(isFirstLate({ after, unknownAfter }, 15)).toBe(late);
});
