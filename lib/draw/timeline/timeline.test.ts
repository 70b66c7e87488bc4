import { describe, expect, it } from 'vitest';
import { cutTo, isEvent, isVerdictState, stateRank, tickEvery, type TimelineState } from './timeline.ts';
import { verdicts } from '../../domain/verdict/verdict.ts';
import { day, hour, minute } from '../../domain/time/length.ts';

describe('ticks', () => {
  it.each([
    [6 * hour, 8, hour],
    [24 * hour, 8, 3 * hour],
    [7 * 24 * hour, 8, 24 * hour],
    [90 * 24 * hour, 8, 14 * 24 * hour],
    [10 * minute, 8, 5 * minute],
    [minute, 1, minute],
    [minute + 1, 1, 5 * minute],
    [15 * minute, 1, 15 * minute],
    [30 * minute, 1, 30 * minute],
    [6 * hour, 1, 6 * hour],
    [12 * hour, 1, 12 * hour],
    [2 * day, 1, 2 * day],
    [7 * day, 1, 7 * day],
    [30 * day, 1, 30 * day],
    [90 * day, 1, 90 * day],
    [90 * day + 1, 1, 365 * day],
  ])('of %i ms, at most %i: every %i ms', (length, most, every) => {
    expect(tickEvery({ from: 0, to: length }, most)).toBe(every);
  });
});

const states: readonly TimelineState[] = [...verdicts, 'absent', 'not-recorded'];

it('what is in order, or not there, did not happen', () => {
  expect(states.filter((state) => !isEvent(state))).toEqual(['unconfirmed', 'converged', 'absent', 'not-recorded']);
});

it('the worst state comes first, nothing there after all verdicts', () => {
  expect(states.toReversed().toSorted((a, b) => stateRank(a) - stateRank(b))).toEqual(states);
  expect(states.filter(isVerdictState)).toEqual(verdicts);
});

it('stretches are cut to a period; what only touches it lies outside', () => {
  const stretch = (from: number, to: number) => ({ from, to, state: 'stale' as const });
  const all = [stretch(0, 10), stretch(5, 11), stretch(12, 13), stretch(15, 40), stretch(20, 40)];
  expect(cutTo(all, { from: 10, to: 20 })).toEqual([stretch(10, 11), stretch(12, 13), stretch(15, 20)]);
});
