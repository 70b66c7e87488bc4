import { expect, it } from 'vitest';
import { restartDelay } from './restart-delay.ts';

it.each([
  [1, 500],
  [2, 1000],
  [3, 2000],
  [7, 30_000],
  [5000, 30_000],
])('after crash %i waits %i ms', (crashes, ms) => {
  expect(restartDelay(crashes)).toBe(ms);
});
