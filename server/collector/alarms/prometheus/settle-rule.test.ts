import { expect, it } from 'vitest';
import type { RuleFact } from '#lib/domain/alarm/fact.ts';
import { hour } from '#lib/domain/time/length.ts';
import { settledRule } from './settle-rule.ts';

function rule(interval: number, evaluatedAt: number | null, firedAt: number | null = null): RuleFact {
  return {
    type: 'rule',
    key: 'k',
    name: 'n',
    group: 'g',
    file: 'f',
    query: 'q',
    holds: 0,
    interval,
    labels: {},
    health: 'ok',
    error: null,
    evaluatedAt,
    selectors: [],
    keeps: null,
    firedAt,
  };
}

const quiet = { isFiring: false, seenFiring: null };

it.each([15_000, 30_000, 60_000, 300_000])(
  'a rule that is evaluated each %i ms is never told to be older than three intervals, and changes seldom',
  (interval) => {
    let before: RuleFact | null = null;
    let changes = 0;
    let oldest = 0;
    const readings = 1_000;
    for (let reading = 0; reading < readings; reading++) {
      const at = reading * 15_000;
      // Before the next reading is stored it is this old.
      if (before !== null) oldest = Math.max(oldest, at - (before.evaluatedAt ?? 0));
      const evaluatedAt = Math.floor(at / interval) * interval;
      const next = settledRule(rule(interval, evaluatedAt), before, { at, ...quiet });
      if (next.evaluatedAt !== before?.evaluatedAt) changes += 1;
      before = next;
    }
    expect(oldest).toBeLessThanOrEqual(3 * interval);
    expect(changes).toBeLessThanOrEqual(Math.ceil((readings * 15_000) / Math.max(15_000, interval)) + 1);
    expect(changes).toBeLessThanOrEqual(readings / 2 + 1);
  },
);

it('a rule that is evaluated no longer grows old, and one that is again is young at once', () => {
  const minute = 60_000;
  const first = settledRule(rule(minute, 0), null, { at: 0, ...quiet });
  const last = settledRule(rule(minute, 90_000), first, { at: 100_000, ...quiet });
  expect(last.evaluatedAt).toBe(0);
  const stood = settledRule(rule(minute, 90_000), last, { at: 130_000, ...quiet });
  expect(stood.evaluatedAt).toBe(90_000);
  expect(settledRule(rule(minute, 90_000), stood, { at: 10 * minute, ...quiet }).evaluatedAt).toBe(90_000);
  expect(settledRule(rule(minute, 10 * minute), stood, { at: 10 * minute + 1, ...quiet }).evaluatedAt).toBe(
    10 * minute,
  );
  expect(settledRule(rule(minute, null), stood, { at: 10 * minute, ...quiet }).evaluatedAt).toBeNull();
});

it('when it fired last stays while it fires, within the hour, and is exact once it does not', () => {
  const at = (time: number, before: number | null, isFiring: boolean, seenFiring: number | null) =>
    settledRule(rule(60_000, 0), rule(60_000, 0, before), { at: time, isFiring, seenFiring }).firedAt;
  expect(at(0, null, false, null)).toBeNull();
  expect(at(15_000, null, true, 15_000)).toBe(15_000);
  expect(at(30_000, 15_000, true, 30_000)).toBe(15_000);
  expect(at(hour + 15_000, 15_000, true, hour + 15_000)).toBe(hour + 15_000);
  expect(at(45_000, 15_000, false, 30_000)).toBe(30_000);
  // Of the time before a restart the store alone tells.
  expect(at(45_000, 15_000, false, null)).toBe(15_000);
  expect(at(0, 15_000, false, 10_000)).toBe(15_000);
});
