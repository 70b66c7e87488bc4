import { differenceOf, intersectionOf, lengthOf, type FlatStretches } from '../../record/flat-stretches.ts';
import type { Period } from '../../record/span.ts';
import type { AlarmFigures, OverdueAbsences } from '../alarm-figures.ts';

/** All that is known of the calls for one absence up to a moment. Times in ms since the epoch. */
export interface AbsenceTimes {
  readonly openedAt: number;
  /** When Plumbline knew of it. */
  readonly noticedAt: number;
  /** When it was over, or the moment. */
  readonly end: number;
  /** Deadline of the first call. */
  readonly deadline: number;
  /** When it was overdue. */
  readonly overdue: FlatStretches;
  /** When somebody was called for it; may lie outside of it. */
  readonly called: FlatStretches;
  /** When it is not known that nobody was; may lie outside of it, and where somebody was. */
  readonly unknown: FlatStretches;
}

/** When somebody was called for an absence first; null where nobody is known to have been. */
export function firstCall({ called, openedAt, end }: Pick<AbsenceTimes, 'called' | 'openedAt' | 'end'>): number | null {
  const [first = null] = intersectionOf(called, Float64Array.of(openedAt, Math.max(openedAt, end)));
  return first;
}

/** Parts of its overdue time in a period (ms), which add up to it. */
export function overdueParts(
  { overdue, called, unknown }: Pick<AbsenceTimes, 'overdue' | 'called' | 'unknown'>,
  { from, to }: Period,
): Pick<AlarmFigures, 'called' | 'silent' | 'unknown'> {
  const its = intersectionOf(overdue, Float64Array.of(from, to));
  const left = differenceOf(its, called);
  const [all, rest, dark] = [lengthOf(its), lengthOf(left), lengthOf(intersectionOf(left, unknown))];
  return { called: all - rest, unknown: dark, silent: rest - dark };
}

/** True if an absence that was known lasted past its deadline at some time in a period. */
export function isLate(
  { end, deadline, noticedAt }: Pick<AbsenceTimes, 'end' | 'deadline' | 'noticedAt'>,
  period: Period,
): boolean {
  return Math.max(noticedAt, deadline, period.from) < Math.min(end, period.to);
}

/**
 * True if the first call for an absence is known to be the first. Otherwise somebody may have been called before, when that could not be known, and the
 * time to the call is the most that it can have been; so it is for a source that could not be read and then has an alert that fires already. When
 * that alert began to fire (`startsAt`) does not tell: it may have been held back, and another may have called before.
 */
export function isFirstExact(times: Omit<AbsenceTimes, 'overdue' | 'noticedAt' | 'deadline'>): boolean {
  const first = firstCall(times);
  return first !== null && isKnown(times, first);
}

/**
 * Standing of the first call for an absence that lasted past its deadline. Late and never are said only where it is known that nobody was called before
 * the deadline, and never only where it is known of all the absence.
 */
export function standingOf(times: Omit<AbsenceTimes, 'overdue' | 'noticedAt'>): keyof OverdueAbsences {
  const first = firstCall(times);
  if (first !== null && first < times.deadline) return 'inTime';
  if (!isKnown(times, first === null ? times.end : times.deadline)) return 'unknown';
  return first === null ? 'never' : 'late';
}

/** True if nothing was unknown of an absence from its beginning up to a moment (ms). */
function isKnown({ unknown, openedAt }: Pick<AbsenceTimes, 'unknown' | 'openedAt'>, until: number): boolean {
  return intersectionOf(unknown, Float64Array.of(openedAt, Math.max(openedAt, until))).length === 0;
}
