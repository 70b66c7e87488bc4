import { expect, it } from 'vitest';
import { comparePositions, type Position } from './worst-first.ts';

it.each<[what: string, before: Position, after: Position]>([
  ['what is silent before all else', [0, 9, 9, 'b'], [1, 0, 0, 'a']],
  ['then the worse verdict', [1, 0, 9, 'b'], [1, 1, 0, 'a']],
  ['then what is away for longer', [1, 1, 5, 'b'], [1, 1, 6, 'a']],
  ['then by its key', [1, 1, 5, 'a'], [1, 1, 5, 'b']],
])('%s', (_what, before, after) => {
  expect(comparePositions(before, after)).toBeLessThan(0);
  expect(comparePositions(after, before)).toBeGreaterThan(0);
  expect(comparePositions(after, [...after])).toBe(0);
});
