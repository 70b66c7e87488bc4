import type { RuleFact } from '#lib/domain/alarm/fact.ts';
import { hour } from '#lib/domain/time/length.ts';

/** The next reading, with its jitter and the time until it is stored, comes within this (ms). */
const untilNext = 20_000;

/**
 * A rule as it is read, with those of its times taken over from before that would make it another at each reading. `seenFiring`: when an alert
 * of it was last seen firing (ms), this reading included; null for never.
 *
 * `evaluatedAt` stays until it is older than two intervals, or would be older than three before the next reading: so it is never told to be
 * older than three intervals where it is not. `firedAt` stays within the hour while alerts fire, and is exact once none does.
 */
export function settledRule(
  read: RuleFact,
  before: RuleFact | null,
  { at, isFiring, seenFiring }: { readonly at: number; readonly isFiring: boolean; readonly seenFiring: number | null },
): RuleFact {
  return {
    ...read,
    evaluatedAt: evaluatedAt(read, before?.evaluatedAt ?? null, at),
    firedAt: firedAt(before?.firedAt ?? null, isFiring, seenFiring),
  };
}

function evaluatedAt({ evaluatedAt: read, interval }: RuleFact, before: number | null, at: number): number | null {
  if (read === null || before === null || read <= before) return read;
  const oldest = Math.min(2 * interval, 3 * interval - untilNext);
  return at - before > oldest ? read : before;
}

function firedAt(before: number | null, isFiring: boolean, seen: number | null): number | null {
  if (seen === null) return before;
  if (before === null) return seen;
  return isFiring && seen - before < hour ? before : Math.max(before, seen);
}
