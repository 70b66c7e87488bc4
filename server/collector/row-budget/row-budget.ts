import { formatDuration } from '#lib/format/duration.ts';
import { formatCount } from '#lib/format/number.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';

/** So long is a source not read that was within its budget before: most of what comes in a storm is over by then. */
const firstPause = 10 * minute;

/** Most rows of one sort that one source of facts may write within an hour, or a day: `least`, and `each` for everything that is known of it. */
export interface RowLimit {
  /** Noun of the rows, in the plural. */
  readonly rows: string;
  readonly least: number;
  readonly each: number;
  /** An hour where it is absent. */
  readonly within?: 'day';
}

/** A source has written more than it may. */
export interface OverBudget {
  /** It is not read for so long (ms). */
  readonly pause: number;
  /** Says so with its figures, as a clause for people. */
  readonly reason: string;
}

/** Rows that were written, of one sort, and the number of what is known of the source. */
export interface Spent {
  readonly rows: number;
  readonly known: number;
}

/**
 * Counts what one source of facts writes, hour by hour and day by day, and tells when it must pause: for what is too much of an hour ten minutes first, twice
 * as long each time that follows, a day at most; for what is too much of a day until that is over. Starts with nothing written. Times in ms.
 */
export function createRowBudget(limits: readonly RowLimit[]) {
  let since: number | null = null;
  let daySince: number | null = null;
  const written = limits.map(() => ({ rows: 0, known: 0 }));
  let overInARow = 0;
  let isPaused = false;

  function begin(now: number): void {
    since = now;
    forget('hour');
  }

  function forget(length: 'hour' | 'day'): void {
    for (const [index, limit] of limits.entries())
      if ((limit.within ?? 'hour') === length) written[index] = { rows: 0, known: 0 };
  }

  /** A pause of some hours does not begin another day. */
  function turnDay(now: number): number {
    if (daySince !== null && now >= daySince && now < daySince + day) return daySince + day;
    daySince = now;
    forget('day');
    return now + day;
  }

  /** An hour that ended within its budget makes the next pause a short one. */
  function turn(now: number): void {
    if (since !== null && now >= since && now < since + hour) return;
    if (since !== null && now >= since) overInARow = 0;
    begin(now);
  }

  return {
    /** Takes note of what is written at `now`, in the order of the limits; gives the pause that follows from it, null for none. What is written in a pause is not counted. */
    spend(spent: readonly Spent[], now: number): OverBudget | null {
      if (isPaused) return null;
      turn(now);
      const dayEnds = turnDay(now);
      for (const [index, { rows, known }] of spent.entries()) {
        const count = written[index];
        if (count === undefined) continue;
        count.rows += rows;
        // What is deleted at once may be told once more.
        count.known = Math.max(count.known, known);
      }
      for (const [index, limit] of limits.entries()) {
        const count = written[index];
        if (count === undefined) continue;
        const most = limit.least + limit.each * count.known;
        if (count.rows <= most) continue;
        isPaused = true;
        const pause =
          limit.within === 'day'
            ? Math.max(firstPause, dayEnds - now)
            : Math.min(day, firstPause * 2 ** Math.min(overInARow, 8));
        if (limit.within === undefined) overInARow += 1;
        const figures = `${formatCount(count.rows)} ${limit.rows} within the ${limit.within ?? 'hour'}; at most ${formatCount(most)} are recorded`;
        return { pause, reason: `it brought ${figures}, and it is not read for ${formatDuration(pause)}` };
      }
      return null;
    },
    /** The pause is over at `now`. */
    resume(now: number): void {
      isPaused = false;
      begin(now);
    },
  };
}
