import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import { firstCall, isLate, overdueParts, standingOf } from '#lib/domain/alarm/called/absence-calls.ts';
import { callBook, type CallBook } from '#lib/domain/alarm/called/call-book.ts';
import { intersectionOf, unionOf, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { durationList } from '../../../codec/duration-list.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import { isWithin } from '../../../record/lists.ts';
import { firstWhole } from '../../rows/cells.ts';
import { lastingAbsences, type AbsenceReader } from '../record/absence-reader.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import type { GapReader } from '../record/record-gaps.ts';
import type { PieceReader } from '../record/record-pieces.ts';
import { ofClusters, type ScopeIds, type Scopes } from '../record/record-scope.ts';
import { openAbsenceTimes, type AbsenceRow } from './absence-times.ts';
import { openCallSums } from './call-sums.ts';
import { openConcernedAbsences } from './concerned-absences.ts';
import { isTouched, openLateAbsences } from './late-absences.ts';
import { openMeantCalls, type StoredCall } from './meant-calls.ts';
import { openNotedCauses } from './noted-causes.ts';
import { overdueWithin } from './unknown-overdue.ts';

/** Readers of absences that figures of calls rest on. */
export interface FigureReaders {
  readonly gaps: GapReader;
  readonly absences: AbsenceReader;
  readonly pieces: Pick<PieceReader, 'awayOf'>;
  readonly overdueIn: (scope: ScopeIds, period: Period, alarmWithin: number) => number;
}

type Parts = Pick<AlarmFigures, 'called' | 'silent' | 'unknown' | 'overdue' | 'toCall'>;

const nothing: Parts = {
  ...{ called: 0, silent: 0, unknown: 0 },
  overdue: { inTime: 0, late: 0, never: 0, unknown: 0 },
  toCall: new Float64Array(0),
};

/** A question with what was called meanwhile. */
interface Asked {
  readonly scope: ScopeIds;
  readonly period: Period;
  readonly alarmWithin: number;
  readonly book: CallBook<StoredCall>;
  /** By the id of each cluster of the scope, when nothing could be known of any of its objects. */
  readonly unknown: ReadonlyMap<number, FlatStretches>;
}

/**
 * Figures of who was called for what was away, over an open database. Absences that a call concerns are looked at one by one; of all others it is known
 * by their cluster alone whether nobody was called.
 */
export function openAlarmFigures(scopes: Scopes, readers: FigureReaders) {
  const calls = openMeantCalls(scopes);
  const sums = openCallSums(scopes);
  const faults = openFaultReader(scopes);
  const overdueOf = openAbsenceTimes(scopes);
  const causesOf = openNotedCauses(scopes, faults);
  const concernedBy = openConcernedAbsences(scopes, faults);
  const late = openLateAbsences(scopes);

  /** When the first of the absences began that were known in a period; its end where there are none. */
  function begun(scope: ScopeIds, { from, to }: Period): number {
    const { join, sql, parameters } = scopes.rows(scope, 'i');
    const statement = scopes.statement(
      `SELECT MIN(i.opened_at) FROM ${lastingAbsences(scope, 'object, cluster, opened_at')} i ${join && `CROSS ${join}`} WHERE ${sql}`,
    );
    return firstWhole(statement, from - 1, to, ...parameters) ?? to;
  }

  /** When somebody was called for an absence: by its object, or by what that waited for. */
  function calledFor(book: CallBook<StoredCall>, { id, object }: AbsenceRow): FlatStretches {
    return causesOf(id).reduce(
      (sum, { ref, from, to }) => unionOf(sum, intersectionOf(book.named(ref), Float64Array.of(from, to))),
      book.named(scopes.refOf(object)),
    );
  }

  function partsOf(asked: Asked, first: number): Parts {
    const { scope, period, alarmWithin, book, unknown } = asked;
    const gapsOf = readers.gaps.within(scope, { from: first, to: period.to });
    const toCall = durationList();
    const all = readers.overdueIn(scope, period, alarmWithin);
    const since = { ...period, from: Math.max(period.from, first) };
    const dark = overdueWithin(readers, { scope, period: since, alarmWithin, stretches: unknown });
    const parts = { called: 0, unknown: dark };
    const overdue = { inTime: 0, late: 0, never: 0, unknown: 0 };
    overdue.unknown = late.countWithin(scope, period, alarmWithin, unknown);
    overdue.never = late.count(scope, period, alarmWithin) - overdue.unknown;
    for (const absence of concernedBy(scope, period, book).values()) {
      const { openedAt, noticedAt, closedAt } = absence;
      const alike = unknown.get(absence.cluster) ?? new Float64Array(0);
      const times = {
        ...{ openedAt, noticedAt, end: Math.min(closedAt, period.to), deadline: openedAt + alarmWithin },
        overdue: overdueOf(absence, gapsOf, alarmWithin, period.to),
        called: calledFor(book, absence),
        unknown: book.unknown(scopes.refOf(absence.object)),
      };
      const call = firstCall(times);
      if (absence.bound === 'exact' && call !== null && isWithin(noticedAt, period)) toCall.add(call - openedAt);
      const its = overdueParts(times, period);
      parts.called += its.called;
      parts.unknown += its.unknown - overdueParts({ ...times, called: none, unknown: alike }, period).unknown;
      if (!isLate(times, period)) continue;
      overdue[isTouched(alike, times.deadline, times.end) ? 'unknown' : 'never'] -= 1;
      overdue[standingOf(times)] += 1;
    }
    return { ...parts, silent: all - parts.called - parts.unknown, overdue, toCall: toCall.ascending() };
  }

  /** Where more calls were made than are looked at. */
  function unknownOf(scope: ScopeIds, period: Period, alarmWithin: number): Parts {
    const unknown = late.count(scope, period, alarmWithin);
    return {
      ...nothing,
      unknown: readers.overdueIn(scope, period, alarmWithin),
      overdue: { ...nothing.overdue, unknown },
    };
  }

  return (asked: RecordScope, period: Period, alarmWithin: number): AlarmFigures => {
    const counted = sums.counted(asked, period);
    const scope = scopes.resolve(asked);
    if (period.from >= period.to) return { ...nothing, ...counted, withoutAbsence: 0 };
    const first = scope === null ? period.to : begun(scope, period);
    const looked = { from: Math.min(first, period.from), to: period.to };
    const within = calls.within(looked);
    if (within === null)
      return {
        ...(scope === null ? nothing : unknownOf(scope, period, alarmWithin)),
        ...{ ...counted, withoutAbsence: null },
      };
    const gapsOf = readers.gaps.within(scope ?? { clusters: null }, looked);
    const withoutAbsence = sums.withoutAbsence(asked, period, within, gapsOf);
    if (scope === null) return { ...nothing, ...counted, withoutAbsence };
    const book = callBook(within, calls.times(looked));
    const { sql, parameters } = ofClusters(scope, 'id');
    const clusters = scopes.ids(`SELECT id FROM cluster WHERE ${sql}`, parameters);
    const unknown = new Map(clusters.map((id) => [id, book.unknownOn(scopes.clusterName(id))]));
    return { ...partsOf({ scope, period, alarmWithin, book, unknown }, first), ...counted, withoutAbsence };
  };
}

const none: FlatStretches = new Float64Array(0);
