import type { AbsenceTimes } from '#lib/domain/alarm/called/absence-calls.ts';
import type { CallBook } from '#lib/domain/alarm/called/call-book.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { reachingInto } from '#lib/domain/record/flat-stretches.ts';
import type { AbsenceRow } from './absence-times.ts';
import { calledTimes } from './called-times.ts';
import type { StoredCall } from './meant-calls.ts';
import type { ToldAbsence } from './told-absences.ts';

/** A book of calls, and for which deadline and up to when it is asked. */
interface TimesAsked {
  readonly book: CallBook<StoredCall>;
  readonly alarmWithin: number;
  /** Nothing is known of what comes at this moment (ms) or later. */
  readonly before: number;
}

/** Times of an absence of an object, by a book of calls. */
export function timesOf(
  { book, alarmWithin, before }: TimesAsked,
  ref: ObjectRef,
  { openedAt, noticedAt, closedAt }: AbsenceRow,
  told: ToldAbsence,
): AbsenceTimes {
  const end = Math.min(closedAt, before);
  const its = calledTimes(book, ref, told.causes, before);
  return {
    ...{ openedAt, noticedAt, end, deadline: openedAt + alarmWithin, overdue: told.overdue },
    called: reachingInto(its.called, openedAt, end),
    unknown: reachingInto(its.unknown, openedAt, end),
  };
}
