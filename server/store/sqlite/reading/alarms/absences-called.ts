import { calledHowOf, type CalledHow } from '#lib/domain/alarm/alarm-figures.ts';
import { isLate, standingOf } from '#lib/domain/alarm/called/absence-calls.ts';
import { callBook } from '#lib/domain/alarm/called/call-book.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { intersectionOf, unionOf } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { CalledQuestion } from '../../../port/alarm-port.ts';
import type { RecordPage } from '../../../port/record-port.ts';
import { timeWithin } from '../../../record/lists.ts';
import { absenceColumns, absenceOf } from '../../rows/record-rows.ts';
import { allRows, oneRow, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { lastingAbsences } from '../record/absence-reader.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import { keyOf, pageOfRows, type PageKey } from '../record/page-cursor.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import { openMeantCalls } from './meant-calls.ts';
import { openNotedCauses } from './noted-causes.ts';

/** An absence as far as it is asked who was called for it; one that lasts ends at Infinity. */
interface LateAbsence {
  readonly id: number;
  readonly object: number;
  readonly openedAt: number;
  readonly noticedAt: number;
  readonly closedAt: number;
}

/** Lists absences that lasted past their deadline by how somebody was called for them, over an open database. */
export function openAbsencesCalled(scopes: Scopes) {
  const calls = openMeantCalls(scopes);
  const causesOf = openNotedCauses(scopes, openFaultReader(scopes));
  const one = scopes.statement(`SELECT object, ${absenceColumns} FROM absence WHERE id = ?`);

  function lateIn(scope: ScopeIds, period: Period, alarmWithin: number): readonly LateAbsence[] {
    const { join, sql, parameters } = scopes.rows(scope, 'i');
    const statement = scopes.statement(
      `SELECT i.id, i.object, i.opened_at, i.noticed_at, i.closed_at
       FROM ${lastingAbsences(scope, 'id, object, cluster, opened_at, noticed_at, closed_at')} i ${join && `CROSS ${join}`} WHERE ${sql}`,
    );
    return allRows(statement, period.from, period.to, ...parameters)
      .map(lateOf)
      .filter(({ openedAt, noticedAt, closedAt }) =>
        isLate({ noticedAt, end: Math.min(closedAt, period.to), deadline: openedAt + alarmWithin }, period),
      );
  }

  /** Tells how somebody was called for an absence, by the end of a period. */
  function standings(
    late: readonly LateAbsence[],
    period: Period,
    alarmWithin: number,
  ): (of: LateAbsence) => CalledHow {
    const looked = {
      from: late.reduce((first, { openedAt }) => Math.min(first, openedAt), period.from),
      to: period.to,
    };
    const within = calls.within(looked);
    if (within === null) return () => 'unknown';
    const book = callBook(within, calls.times(looked));
    return ({ id, object, openedAt, noticedAt, closedAt }) => {
      const ref = scopes.refOf(object);
      const called = causesOf(id).reduce(
        (sum, cause) => unionOf(sum, intersectionOf(book.named(cause.ref), Float64Array.of(cause.from, cause.to))),
        book.named(ref),
      );
      const times = { openedAt, noticedAt, end: Math.min(closedAt, period.to), deadline: openedAt + alarmWithin };
      return calledHowOf[standingOf({ ...times, called, unknown: book.unknown(ref) })];
    };
  }

  return (
    scope: ScopeIds,
    period: Period,
    { alarmWithin, called, order, cursor, limit }: CalledQuestion,
  ): RecordPage<Absence> => {
    const after = keyOf(cursor) ?? { rank: Number.MAX_SAFE_INTEGER, id: 0 };
    const late = lateIn(scope, period, alarmWithin);
    const howOf = standings(late, period, alarmWithin);
    const behind = late
      .map((absence) => ({ absence, key: keyIn(absence, order, period) }))
      .filter(({ key: { rank, id } }) => rank < after.rank || (rank === after.rank && id < after.id))
      .toSorted((a, b) => b.key.rank - a.key.rank || b.key.id - a.key.id);
    const found: (typeof behind)[number][] = [];
    for (const each of behind) {
      if (found.length > limit) break;
      if (called.includes(howOf(each.absence))) found.push(each);
    }
    return pageOfRows(
      found,
      limit,
      ({ key }) => key,
      ({ absence }) => absenceOf(scopes.refOf(absence.object), oneRow(one, absence.id), scopes.textOf),
    );
  };
}

function keyIn(
  { id, openedAt, noticedAt, closedAt }: LateAbsence,
  order: CalledQuestion['order'],
  period: Period,
): PageKey {
  return { id, rank: order === 'newest' ? noticedAt : timeWithin({ from: openedAt, to: closedAt }, period) };
}

function lateOf(row: Row): LateAbsence {
  return {
    ...{ id: whole(row[0]), object: whole(row[1]), openedAt: whole(row[2]) },
    ...{ noticedAt: whole(row[3]), closedAt: wholeOrNull(row[4]) ?? Infinity },
  };
}
