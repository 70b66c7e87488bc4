import { expect, it } from 'vitest';
import { hour, minute } from '#lib/domain/time/length.ts';
import { createRowBudget } from './row-budget.ts';

const limits = [
  { rows: 'changes', least: 100, each: 2 },
  { rows: 'readings', least: 1_000, each: 0 },
];
const spent = (changes: number, known = 0, readings = 0) => [
  { rows: changes, known },
  { rows: readings, known },
];

it('pauses for ten minutes who brings more within an hour than it may, and says the figures', () => {
  const budget = createRowBudget(limits);
  expect(budget.spend(spent(100), 0)).toBeNull();
  expect(budget.spend(spent(1), hour - 1)).toEqual({
    pause: 10 * minute,
    reason: 'it brought 101 changes within the hour; at most 100 are recorded, and it is not read for 10 min',
  });
});

it('counts each hour anew, and gives more to who has more, though that is deleted', () => {
  const budget = createRowBudget(limits);
  expect(budget.spend(spent(100), 0)).toBeNull();
  expect(budget.spend(spent(100), hour)).toBeNull();
  expect(budget.spend(spent(1_000, 500), 2 * hour)).toBeNull();
  expect(budget.spend(spent(100, 0), 2 * hour)).toBeNull();
  expect(budget.spend(spent(1, 0), 2 * hour)?.reason).toContain('1,101 changes within the hour; at most 1,100');
});

it('counts each sort of rows by itself', () => {
  const budget = createRowBudget(limits);
  expect(budget.spend(spent(100, 0, 1_000), 0)).toBeNull();
  expect(budget.spend(spent(0, 0, 1), 1)?.reason).toContain('1,001 readings');
});

it('pauses twice as long each time that follows, a day at most, and for ten minutes again after an hour that was well', () => {
  const budget = createRowBudget(limits);
  let now = 0;
  const pauses = Array.from({ length: 10 }, () => {
    const pause = budget.spend(spent(200), now)?.pause ?? 0;
    // What is written meanwhile says that it is not read.
    expect(budget.spend(spent(500), now)).toBeNull();
    now += pause;
    budget.resume(now);
    return pause / minute;
  });
  expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]);
  expect(budget.spend(spent(1), now + hour)).toBeNull();
  expect(budget.spend(spent(200), now + 2 * hour)?.pause).toBe(10 * minute);
});

it('a clock that is set back begins another hour, and forgives nothing', () => {
  const budget = createRowBudget(limits);
  expect(budget.spend(spent(101), hour)?.pause).toBe(10 * minute);
  budget.resume(2 * hour);
  expect(budget.spend(spent(100), 2 * hour)).toBeNull();
  expect(budget.spend(spent(100), 0)).toBeNull();
  expect(budget.spend(spent(1), 1)?.pause).toBe(20 * minute);
});

it('a figure for a day holds over its hours, and what is beyond it is not read until that day is over', () => {
  const budget = createRowBudget([
    { rows: 'calls', least: 100, each: 0 },
    { rows: 'calls', least: 250, each: 0, within: 'day' },
  ]);
  const both = (rows: number) => [
    { rows, known: 0 },
    { rows, known: 0 },
  ];
  expect([0, 1].map((at) => budget.spend(both(100), at * hour))).toEqual([null, null]);
  expect(budget.spend(both(51), 4 * hour)).toEqual({
    pause: 20 * hour,
    reason: 'it brought 251 calls within the day; at most 250 are recorded, and it is not read for 20 h',
  });
  budget.resume(24 * hour);
  expect(budget.spend(both(100), 24 * hour)).toBeNull();
});
