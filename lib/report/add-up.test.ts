import { expect, it } from 'vitest';
import { addUp } from './add-up.ts';

it.each([
  [[1, 1, 1], 100, [34, 33, 33]],
  [[998, 1, 1], 100, [100, 0, 0]],
  [[5, 3, 2], 10, [5, 3, 2]],
  [[0, 7], 13, [0, 13]],
  [[0, 0], 13, [0, 0]],
  [[], 13, []],
])('%j as parts of %s are %j', (parts, total, units) => {
  expect(addUp(parts, total)).toEqual(units);
});

it('always adds up, and no part is further than one from what it is', () => {
  for (let seed = 1; seed < 500; seed += 1) {
    const parts = [seed * 7919, (seed * 104_729) % 99_991, (seed * 31) % 17, seed % 2];
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const units = addUp(parts, 10_000);
    expect(units.reduce((sum, part) => sum + part, 0)).toBe(10_000);
    for (const [index, part] of parts.entries())
      expect(Math.abs((units[index] ?? 0) - (part / whole) * 10_000)).toBeLessThan(1);
  }
});
