import { expect, it } from 'vitest';
import { compareText } from './compare-text.ts';

it.each([
  ['a', 'b', -1],
  ['b', 'a', 1],
  ['a', 'a', 0],
  ['a', 'B', 1],
  ['', 'a', -1],
])('%j beside %j: %i', (a, b, order) => {
  expect(compareText(a, b)).toBe(order);
});
