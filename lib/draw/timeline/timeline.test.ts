import { describe, expect, it } from 'vitest';
import { tickEvery } from './timeline.ts';
import { hour, minute } from '../../domain/time/length.ts';

describe('ticks', () => {
  it.each([
    [6 * hour, 8, hour],
    [24 * hour, 8, 3 * hour],
    [7 * 24 * hour, 8, 24 * hour],
    [90 * 24 * hour, 8, 14 * 24 * hour],
    [10 * minute, 8, 5 * minute],
  ])('of %i ms, at most %i: every %i ms', (length, most, every) => {
    expect(tickEvery({ from: 0, to: length }, most)).toBe(every);
  });
});
