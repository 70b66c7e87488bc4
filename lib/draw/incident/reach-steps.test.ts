import { describe, expect, it } from 'vitest';
import { reachPath } from './reach-steps.ts';

const period = { from: 1000, to: 2000 };
const box = { width: 100, height: 50 };

describe('the outline of a reach over time', () => {
  it.each([
    ['one step up to its end', [{ at: 1000, objects: 3 }], 'M0 50H0V0H100V50'],
    [
      'growth and its end, from the first step on',
      [
        { at: 1200, objects: 5 },
        { at: 1500, objects: 10 },
        { at: 1800, objects: 0 },
      ],
      'M0 50H20V25H50V0H80V50H100V50',
    ],
    [
      'one of a thousand is seen still',
      [
        { at: 1000, objects: 1000 },
        { at: 1500, objects: 1 },
      ],
      'M0 50H0V0H50V46H100V50',
    ],
    ['what was before the period stands at its beginning', [{ at: 0, objects: 1 }], 'M0 50H0V0H100V50'],
    ['nothing there', [{ at: 1000, objects: 0 }], ''],
    ['no step', [], ''],
  ])('%s', (_name, steps, path) => {
    expect(reachPath(steps, period, box)).toBe(path);
  });

  it('of no time is none', () => {
    expect(reachPath([{ at: 1000, objects: 1 }], { from: 1000, to: 1000 }, box)).toBe('');
  });
});
