import { calledHowOf, type CalledHow } from '#lib/domain/alarm/alarm-figures.ts';
import { standingOf } from '#lib/domain/alarm/called/absence-calls.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { reachingInto } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { CalledQuestion } from '../../../port/alarm-port.ts';
import type { RecordPage } from '../../../port/record-port.ts';
import { absenceColumns, absenceOf } from '../../rows/record-rows.ts';
import { allRows, firstWhole, oneRow, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { absencesLasting } from '../record/absence-reader.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import { cursorOf, keyOf, pageOfRows, type PageKey } from '../record/page-cursor.ts';
import type { Condition, ScopeIds, Scopes } from '../record/record-scope.ts';
import type { CallBooks } from './call-books.ts';
import { calledTimes } from './called-times.ts';
import { openCausesOfMany } from './noted-causes.ts';

/** An absence as far as it is asked who was called for it; one that lasts ends at Infinity. */
interface LateAbsence extends PageKey {
  readonly object: number;
  readonly openedAt: number;
  readonly closedAt: number;
}

/** Which absences are asked for, whoever was called for them. */
type LateQuestion = Pick<CalledQuestion, 'alarmWithin' | 'worst' | 'over' | 'order'>;

/** Absences past their deadline that one page looks at, at most. */
const absencesLooked = 2_000;

/** Those that lasted past their deadline, which is ?3 ms after they began, at some time from ?1 to ?2. */
const isLate = 'MAX(i.noticed_at, i.opened_at + ?3, ?1) < MIN(COALESCE(i.closed_at, ?2), ?2)';

/** Lists absences that lasted past their deadline by how somebody was called for them, over an open database. */
export function openAbsencesCalled(scopes: Scopes, books: CallBooks) {
  const causesOfMany = openCausesOfMany(scopes, openFaultReader(scopes));
  const one = scopes.statement(`SELECT object, ${absenceColumns} FROM absence WHERE id = ?`);

  /** When the first of all began; the beginning of the period where that is earlier. */
  function begun(scope: ScopeIds, { from, to }: Period, alarmWithin: number): number {
    const columns = 'object, cluster, opened_at, noticed_at, closed_at';
    const absences = absencesLasting(scopes, scope, { from, to }, { columns });
    const statement = scopes.statement(
      `SELECT MIN(i.opened_at) FROM ${absences.from} WHERE ${isLate} AND ${absences.sql}`,
    );
    return Math.min(from, firstWhole(statement, from, to, alarmWithin, ...absences.parameters) ?? from);
  }

  /** Those of the highest rank behind another, in this order. */
  function ranked(scope: ScopeIds, period: Period, question: LateQuestion, after: PageKey): readonly LateAbsence[] {
    const { alarmWithin, order } = question;
    const narrowed = narrowing(question);
    const columns = ['id, object, cluster, opened_at, noticed_at, closed_at', ...(question.worst ? ['worst'] : [])];
    const absences = absencesLasting(scopes, scope, period, { columns: columns.join(', ') });
    const rank = order === 'newest' ? 'i.noticed_at' : 'MIN(COALESCE(i.closed_at, ?2), ?2) - MAX(i.opened_at, ?1)';
    const statement = scopes.statement(
      `SELECT rank, id, object, opened_at, closed_at FROM (
         SELECT ${rank} AS rank, i.* FROM ${absences.from}
         WHERE ${[isLate, absences.sql, ...narrowed.map((condition) => condition.sql)].join(' AND ')}
       ) WHERE rank < ? OR (rank = ? AND id < ?) ORDER BY rank DESC, id DESC LIMIT ${absencesLooked}`,
    );
    const narrowedBy = narrowed.flatMap((condition) => condition.parameters);
    const times = [period.from, period.to, alarmWithin];
    return allRows(statement, ...times, ...absences.parameters, ...narrowedBy, after.rank, after.rank, after.id).map(
      lateOf,
    );
  }

  /** Tells how somebody was called for each of these absences, by the end of a period. */
  function standings(
    scope: ScopeIds,
    period: Period,
    { alarmWithin, late }: { readonly alarmWithin: number; readonly late: readonly LateAbsence[] },
  ): (of: LateAbsence) => CalledHow {
    const book = books({ from: begun(scope, period, alarmWithin), to: period.to });
    const causesOf = causesOfMany(late.map(({ id }) => id));
    return ({ id, object, openedAt, closedAt }) => {
      const { called, unknown } = calledTimes(book, scopes.refOf(object), causesOf(id), period.to);
      const times = { openedAt, end: Math.min(closedAt, period.to), deadline: openedAt + alarmWithin };
      return calledHowOf[standingOf({ ...times, called, unknown: reachingInto(unknown, openedAt, times.end) })];
    };
  }

  return (
    scope: ScopeIds,
    period: Period,
    { called, cursor, limit, ...question }: CalledQuestion,
  ): RecordPage<Absence> => {
    const behind = ranked(scope, period, question, keyOf(cursor) ?? { rank: Number.MAX_SAFE_INTEGER, id: 0 });
    const howOf = standings(scope, period, { alarmWithin: question.alarmWithin, late: behind });
    const found: LateAbsence[] = [];
    for (const each of behind) {
      if (found.length > limit) break;
      if (called.includes(howOf(each))) found.push(each);
    }
    const { items, next } = pageOfRows(
      found,
      limit,
      (absence) => absence,
      ({ id, object }): Absence => absenceOf(scopes.refOf(object), oneRow(one, id), scopes.textOf),
    );
    const last = behind[absencesLooked - 1];
    return { items, next: next ?? (last === undefined ? null : cursorOf(last)) };
  };
}

/** Conditions of a question on absences, beside the time. */
function narrowing({ worst, over }: LateQuestion): readonly Condition[] {
  const ofWorst = { sql: 'i.worst IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(worst)] };
  const ofEnd = {
    sql: '(i.closed_at IS NOT NULL AND i.closed_at <= ?) = ?',
    parameters: [over?.by ?? 0, over?.is === true ? 1 : 0],
  };
  return [...(worst === undefined ? [] : [ofWorst]), ...(over === undefined ? [] : [ofEnd])];
}

function lateOf([rank, id, object, openedAt, closedAt]: Row): LateAbsence {
  return {
    ...{ rank: whole(rank), id: whole(id), object: whole(object) },
    ...{ openedAt: whole(openedAt), closedAt: wholeOrNull(closedAt) ?? Infinity },
  };
}
