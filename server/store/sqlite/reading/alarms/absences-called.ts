import { calledHowOf } from '#lib/domain/alarm/alarm-figures.ts';
import { overdueParts, standingOf } from '#lib/domain/alarm/called/absence-calls.ts';
import { callBook } from '#lib/domain/alarm/called/call-book.ts';
import { sourceTimes } from '#lib/domain/alarm/called/source-times.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { intersectionOf, unionOf } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { boundOf } from '../../../codec/traits.ts';
import type { CalledQuestion } from '../../../port/alarm-port.ts';
import type { RecordPage } from '../../../port/record-port.ts';
import { timeWithin } from '../../../record/lists.ts';
import { absenceColumns, absenceOf } from '../../rows/record-rows.ts';
import { allRows, oneRow, text, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { lastingAbsences } from '../record/absence-reader.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import { keyOf, pageOfRows, type PageKey } from '../record/page-cursor.ts';
import type { GapReader } from '../record/record-gaps.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import { openAbsenceTimes, type AbsenceRow } from './absence-times.ts';
import { openMeantCalls } from './meant-calls.ts';
import { openNotedCauses } from './noted-causes.ts';

/** Lists absences by how somebody was called for them, over an open database. */
export function openAbsencesCalled(scopes: Scopes, gaps: GapReader) {
  const calls = openMeantCalls(scopes);
  const timesOf = openAbsenceTimes(scopes);
  const causesOf = openNotedCauses(scopes, openFaultReader(scopes));
  const one = scopes.statement(`SELECT object, ${absenceColumns} FROM absence WHERE id = ?`);

  function absencesIn(scope: ScopeIds, { from, to }: Period): readonly AbsenceRow[] {
    const { join, sql, parameters } = scopes.rows(scope, 'i');
    const columns = 'id, object, cluster, opened_at, noticed_at, closed_at, bound';
    const statement = scopes.statement(
      `SELECT i.id, i.object, k.cluster, k.kind, i.opened_at, i.noticed_at, i.closed_at, i.bound
       FROM ${lastingAbsences(scope, columns)} i ${join} JOIN object k ON k.id = i.object WHERE ${sql}`,
    );
    return allRows(statement, from, to, ...parameters).map(rowOf);
  }

  /** Tests if an absence was overdue in a period, and somebody was called for it in one of these ways. */
  function tests(scope: ScopeIds, absences: readonly AbsenceRow[], period: Period, { alarmWithin, called }: CalledQuestion) {
    const since = absences.reduce((first, { openedAt }) => Math.min(first, openedAt), period.from);
    const looked = { from: since, to: period.to };
    const within = calls.within(looked);
    const book = callBook(within ?? [], sourceTimes(within === null ? [] : calls.coverage(period.to), looked));
    const gapsOf = gaps.within(scope, looked);
    return (absence: AbsenceRow): boolean => {
      const { id, openedAt, closedAt } = absence;
      const ref = scopes.refOf(absence.object);
      const own = book.named(ref);
      const times = {
        ...{ openedAt, end: Math.min(closedAt, period.to), deadline: openedAt + alarmWithin },
        overdue: timesOf(absence, gapsOf, alarmWithin, period.to),
        called: causesOf(id).reduce(
          (sum, cause) => unionOf(sum, intersectionOf(book.named(cause.ref), Float64Array.of(cause.from, cause.to))),
          own,
        ),
        unknown: book.unknown(ref),
      };
      const its = overdueParts(times, period);
      return its.called + its.silent + its.unknown > 0 && called.includes(calledHowOf[standingOf(times)]);
    };
  }

  return (scope: ScopeIds, period: Period, asked: CalledQuestion): RecordPage<Absence> => {
    const absences = absencesIn(scope, period);
    const after = keyOf(asked.cursor) ?? { rank: Number.MAX_SAFE_INTEGER, id: 0 };
    const keyIn = ({ id, openedAt, noticedAt, closedAt }: AbsenceRow): PageKey => ({
      rank: asked.order === 'newest' ? noticedAt : timeWithin({ from: openedAt, to: closedAt }, period),
      id,
    });
    const isBehind = ({ rank, id }: PageKey): boolean => rank < after.rank || (rank === after.rank && id < after.id);
    const isOne = tests(scope, absences, period, asked);
    const behind = absences
      .map((absence) => ({ absence, key: keyIn(absence) }))
      .filter(({ key }) => isBehind(key))
      .toSorted((a, b) => b.key.rank - a.key.rank || b.key.id - a.key.id);
    const found: (typeof behind)[number][] = [];
    for (const each of behind) {
      if (found.length > asked.limit) break;
      if (isOne(each.absence)) found.push(each);
    }
    return pageOfRows(
      found,
      asked.limit,
      ({ key }) => key,
      ({ absence }) => absenceOf(scopes.refOf(absence.object), oneRow(one, absence.id), scopes.textOf),
    );
  };
}

function rowOf(row: Row): AbsenceRow {
  return {
    ...{ id: whole(row[0]), object: whole(row[1]), cluster: whole(row[2]), kind: whole(row[3]) },
    ...{ openedAt: whole(row[4]), noticedAt: whole(row[5]), closedAt: wholeOrNull(row[6]) ?? Infinity },
    bound: boundOf(text(row[7])),
  };
}
