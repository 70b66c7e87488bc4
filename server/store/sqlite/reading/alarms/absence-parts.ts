import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import { firstCall, isFirstExact, isLate, overdueParts, standingOf } from '#lib/domain/alarm/called/absence-calls.ts';
import type { CallBook } from '#lib/domain/alarm/called/call-book.ts';
import { reachingInto, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { durationList } from '../../../codec/duration-list.ts';
import { isWithin } from '../../../record/lists.ts';
import type { FaultReader } from '../record/incident/fault-reader.ts';
import type { GapsOf } from '../record/record-gaps.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import type { Steps } from '../steps/steps.ts';
import type { AbsenceRow } from './absence-times.ts';
import type { LateAbsences } from './late-absences.ts';
import type { StoredCall } from './meant-calls.ts';
import { openToldAbsences } from './told-absences.ts';
import { timesOf } from './told-times.ts';
import { openUnknownOverdue, type OverdueReaders } from './unknown-overdue.ts';

/** Figures of absences alone. */
export type AbsenceParts = Pick<AlarmFigures, 'called' | 'silent' | 'unknown' | 'overdue' | 'toCall' | 'toCallAtMost'>;

/** No absence. */
export const noParts: AbsenceParts = {
  ...{ called: 0, silent: 0, unknown: 0 },
  overdue: { inTime: 0, late: 0, never: 0, unknown: 0 },
  toCall: new Float64Array(0),
  toCallAtMost: 0,
};

/** A question with what was called meanwhile. */
export interface PartsAsked {
  readonly scope: ScopeIds;
  readonly period: Period;
  /** Part of it in which overdue time is counted. */
  readonly since: Period;
  readonly alarmWithin: number;
  /** Of the absences alone that ended then. */
  readonly ended: Period;
  readonly book: CallBook<StoredCall>;
  /** By the id of each cluster of the scope, when nothing could be known of any of its objects. */
  readonly unknown: ReadonlyMap<number, FlatStretches>;
}

/** Absences that are looked at in one step. */
const lookedAtOnce = 1_000;

const none: FlatStretches = new Float64Array(0);

/**
 * Adds up absences by who was called for them. Those that a call concerns are looked at one by one; of all others it is known by their cluster alone
 * whether nobody was called.
 */
export function openAbsenceParts(
  scopes: Scopes,
  readers: OverdueReaders,
  faults: Pick<FaultReader, 'faultOf'>,
  late: LateAbsences,
) {
  const toldAbsences = openToldAbsences(scopes, faults, readers.rollups);
  const overdueWithin = openUnknownOverdue(scopes, readers);

  return function* (
    asked: PartsAsked,
    concerned: readonly AbsenceRow[],
    gapsOf: GapsOf,
  ): Steps<Omit<AbsenceParts, 'silent'>> {
    const { scope, period, alarmWithin, book, unknown } = asked;
    const tell = toldAbsences(gapsOf, alarmWithin, period.to);
    const toCall = durationList();
    let toCallAtMost = 0;
    const dark = yield* overdueWithin({ scope, period: asked.since, alarmWithin, stretches: unknown });
    yield;
    const parts = { called: 0, unknown: dark };
    const overdue = { inTime: 0, late: 0, never: 0, unknown: 0 };
    overdue.never = yield* late.countOutside(asked, unknown);
    overdue.unknown = late.count(asked) - overdue.never;
    yield;
    for (const [place, absence] of concerned.entries()) {
      if (place % lookedAtOnce === lookedAtOnce - 1) yield;
      const [ref, told] = [scopes.refOf(absence.object), tell(absence)];
      const { openedAt, noticedAt } = absence;
      const times = timesOf({ book, alarmWithin, before: period.to }, ref, absence, told);
      const { end } = times;
      const alike = reachingInto(unknown.get(absence.cluster) ?? none, openedAt, end);
      const call = firstCall(times);
      if (absence.bound === 'exact' && call !== null && isWithin(noticedAt, period)) {
        if (isFirstExact(times)) toCall.add(call - openedAt);
        else toCallAtMost += 1;
      }
      const spent = overdueParts(times, period);
      parts.called += spent.called;
      parts.unknown += spent.unknown - overdueParts({ ...times, called: none, unknown: alike }, period).unknown;
      if (!isLate(times, period)) continue;
      overdue[alike.length > 0 ? 'unknown' : 'never'] -= 1;
      overdue[standingOf(times)] += 1;
    }
    return { ...parts, overdue, toCall: toCall.ascending(), toCallAtMost };
  };
}
