import type { Onset } from '../record/current.ts';
import { isAway } from '../guarantee/guarantee.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { minute } from './length.ts';

/** Passes in a row, after what mended it, that end a time away, and the time that does where no passes are to be seen (ms). See docs/design/two-clocks.md. */
const passesHome = 2;
const timeHome = 2 * minute;

/** The two clocks of one object. Times in ms since the epoch. */
export interface Clocks {
  readonly verdict: Verdict;
  /** When the present verdict began. */
  readonly onset: Onset;
  /** When the object left converged, kept until it is home for good; null where it is. */
  readonly away: Onset | null;
  /** True if the time away holds more than blind spots and missing proof. */
  readonly trulyAway: boolean;
  /** Since when it has been converged again, and how many passes had been seen by then; null while it is not. */
  readonly home: { readonly since: number; readonly passesAt: number } | null;
}

/** Input of a new judgement to the clocks. */
export interface ClockInput {
  readonly verdict: Verdict;
  /** When the verdict began (ms): the first write that showed it, or the clock's own moment. */
  readonly at: number;
  /** `at-least` where it began before Plumbline looked. */
  readonly bound: Onset['bound'];
  /** ms */
  readonly now: number;
  /** Passes of the object's loop that ended well, seen by our watch in all; null where none can be seen. */
  readonly passes: number | null;
  /** Since when it exists (ms), where it is sure that it was never as in git since then. Read when the clocks start. */
  readonly neverGoodSince?: number | null;
}

function isHomeForGood(clocks: Clocks, input: ClockInput): boolean {
  if (!clocks.home) return false;
  // The pass by which it leaves again confirms nothing; those before it were each judged.
  if (input.passes !== null && input.verdict === 'converged') return input.passes - clocks.home.passesAt >= passesHome;
  return input.passes === null && input.now - clocks.home.since >= timeHome;
}

/** A blind spot or a missing proof at first is no time away, though what follows it has never been home. */
function awaySinceMade(onset: Onset, verdict: Verdict, born: number): Onset {
  const away: Onset = { ...onset, sinceMade: true };
  return isAway(verdict) ? { ...away, time: Math.min(born, onset.time), bound: 'exact' } : away;
}

/** Starts the clocks of an object that is judged for the first time. */
export function startClocks(input: ClockInput): Clocks {
  const onset: Onset = { time: input.at, bound: input.bound, noticedAt: input.now };
  const converged = input.verdict === 'converged';
  const born = input.neverGoodSince ?? null;
  const away = born === null ? onset : awaySinceMade(onset, input.verdict, born);
  return {
    verdict: input.verdict,
    onset,
    away: converged ? null : away,
    trulyAway: isAway(input.verdict),
    home: converged ? { since: input.at, passesAt: input.passes ?? 0 } : null,
  };
}

function clamped(onset: Onset, now: number): Onset {
  return { ...onset, time: Math.min(onset.time, now), noticedAt: Math.min(onset.noticedAt, now) };
}

/** The clocks after the machine's clock was set back: nothing began later than now. */
function notAfter(clocks: Clocks, now: number): Clocks {
  const { onset, away, home } = clocks;
  if (Math.max(onset.time, onset.noticedAt, away?.time ?? 0, home?.since ?? 0) <= now) return clocks;
  return {
    ...clocks,
    onset: clamped(onset, now),
    away: away && clamped(away, now),
    home: home && { ...home, since: Math.min(home.since, now) },
  };
}

/**
 * Moves the clocks on. `onset` restarts with each change of verdict; `away` runs on through changes of verdict, blind spots and
 * flapping, until two passes have ended well since the object is converged again (or for 2 min where none are to be seen): the pass
 * by which it became converged is none of them.
 */
export function moveClocks(before: Clocks, input: ClockInput): Clocks {
  const clocks = notAfter(before, input.now);
  if (input.verdict === clocks.verdict) {
    if (clocks.verdict === 'converged' && clocks.away && isHomeForGood(clocks, input)) {
      return { ...clocks, away: null, trulyAway: false };
    }
    return clocks;
  }
  const at = Math.min(Math.max(input.at, clocks.onset.time), input.now);
  const onset: Onset = { time: at, bound: input.bound, noticedAt: input.now };
  if (input.verdict === 'converged') {
    const keep = clocks.trulyAway ? clocks.away : null;
    return {
      verdict: input.verdict,
      onset,
      away: keep,
      trulyAway: keep !== null,
      home: { since: at, passesAt: input.passes ?? 0 },
    };
  }
  const running = clocks.away !== null && !(clocks.verdict === 'converged' && isHomeForGood(clocks, input));
  return {
    verdict: input.verdict,
    onset,
    away: running ? clocks.away : onset,
    trulyAway: (running && clocks.trulyAway) || isAway(input.verdict),
    home: null,
  };
}
