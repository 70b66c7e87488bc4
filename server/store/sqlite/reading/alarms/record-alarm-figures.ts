import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import { firstCall, overdueParts, standingOf } from '#lib/domain/alarm/called/absence-calls.ts';
import { callBook, type CallBook, type MeantCall } from '#lib/domain/alarm/called/call-book.ts';
import { sourceTimes } from '#lib/domain/alarm/called/source-times.ts';
import { intersectionOf, unionOf, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { durationList } from '../../../codec/duration-list.ts';
import { boundOf } from '../../../codec/traits.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import { isWithin } from '../../../record/lists.ts';
import { allRows, text, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import type { GapReader } from '../record/record-gaps.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import { openAbsenceTimes, type AbsenceRow } from './absence-times.ts';
import { openCallSums } from './call-sums.ts';
import { openMeantCalls } from './meant-calls.ts';
import { openNotedCauses } from './noted-causes.ts';

/** Figures of who was called for what was away, over an open database. */
export function openAlarmFigures(scopes: Scopes, gaps: GapReader) {
  const calls = openMeantCalls(scopes);
  const sums = openCallSums(scopes);
  const timesOf = openAbsenceTimes(scopes);
  const causesOf = openNotedCauses(scopes, openFaultReader(scopes));

  /** Absences that were known in a period. */
  function absencesIn(scope: ScopeIds, { from, to }: Period): readonly AbsenceRow[] {
    const { join, sql, parameters } = scopes.rows(scope, 'i');
    const statement = scopes.statement(
      `SELECT i.id, i.object, k.cluster, k.kind, i.opened_at, i.noticed_at, i.closed_at, i.bound
       FROM absence i ${join} JOIN object k ON k.id = i.object
       WHERE ${sql} AND i.noticed_at < ? AND (i.closed_at IS NULL OR i.closed_at > ? OR i.noticed_at >= ?)`,
    );
    return allRows(statement, ...parameters, to, from, from).map(absenceOf);
  }

  /** When somebody was called for an absence: by its object, or by what that waited for. */
  function called(book: CallBook<MeantCall>, { id, object }: AbsenceRow): FlatStretches {
    return causesOf(id).reduce(
      (sum, { ref, from, to }) => unionOf(sum, intersectionOf(book.named(ref), Float64Array.of(from, to))),
      book.named(scopes.refOf(object)),
    );
  }

  return (asked: RecordScope, period: Period, alarmWithin: number): AlarmFigures => {
    const scope = scopes.resolve(asked);
    const counted = sums.counted(asked, period);
    const absences = scope === null ? [] : absencesIn(scope, period);
    const since = absences.reduce((first, { openedAt }) => Math.min(first, openedAt), period.from);
    const looked = { from: since, to: period.to };
    const within = calls.within(looked);
    const book = callBook(within ?? [], sourceTimes(within === null ? [] : calls.coverage(period.to), looked));
    const gapsOf = gaps.within(scope ?? { clusters: null }, looked);
    const toCall = durationList();
    const parts = { called: 0, silent: 0, unknown: 0 };
    const overdue = { inTime: 0, late: 0, never: 0, unknown: 0 };
    for (const absence of absences) {
      const { openedAt, closedAt } = absence;
      const times = {
        ...{ openedAt, end: Math.min(closedAt, period.to), deadline: openedAt + alarmWithin },
        overdue: timesOf(absence, gapsOf, alarmWithin, period.to),
        called: called(book, absence),
        unknown: book.unknown(scopes.refOf(absence.object)),
      };
      const first = firstCall(times);
      if (absence.bound === 'exact' && first !== null && isWithin(absence.noticedAt, period)) toCall.add(first - openedAt);
      const its = overdueParts(times, period);
      if (its.called + its.silent + its.unknown === 0) continue;
      for (const part of ['called', 'silent', 'unknown'] as const) parts[part] += its[part];
      overdue[standingOf(times)] += 1;
    }
    const withoutAbsence = within && sums.withoutAbsence(asked, period, within, gapsOf);
    return { ...parts, overdue, toCall: toCall.ascending(), ...counted, withoutAbsence };
  };
}

function absenceOf(row: Row): AbsenceRow {
  return {
    ...{ id: whole(row[0]), object: whole(row[1]), cluster: whole(row[2]), kind: whole(row[3]) },
    ...{ openedAt: whole(row[4]), noticedAt: whole(row[5]), closedAt: wholeOrNull(row[6]) ?? Infinity },
    bound: boundOf(text(row[7])),
  };
}
