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

/** Standing of the first call for an absence that lasted past its deadline. */
export function standingOf(times: Omit<AbsenceTimes, 'overdue'>): keyof OverdueAbsences {
  const first = firstCall(times);
  if (first !== null) return first < times.deadline ? 'inTime' : 'late';
  const since = Math.max(times.deadline, times.noticedAt);
  const past = Float64Array.of(since, Math.max(since, times.end));
  return intersectionOf(times.unknown, past).length > 0 ? 'unknown' : 'never';
}
