import type { Absence } from '#lib/domain/record/absence.ts';
import { day } from '#lib/domain/time/length.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { AbsenceFigures, RecordCursor } from '../../../port/record-port.ts';
import { emptyTally, figuresOf, type OpenCount } from '../../../record/absences.ts';
import { allRows, firstRow, oneRow, whole, type Row } from '../../rows/cells.ts';
import { absenceColumns, absenceOf } from '../../rows/record-rows.ts';
import { absencesLasting, type AbsenceReader, type FromAbsences } from './absence-reader.ts';
import { openAbsenceSums } from './kept/absence-sums.ts';
import { longestRows, longestWalked } from './longest-rows.ts';
import { unchangedReadings } from './recent-readings.ts';
import { keyOf, pageOfRows, type PageKey } from './page-cursor.ts';
import type { RollupReader } from './record-rollups.ts';
import type { ScopePieces } from '../steps/scope-pieces.ts';
import type { Steps } from '../steps/steps.ts';
import type { ScopeIds, Scopes } from './record-scope.ts';

const byLength = `FROM absence INDEXED BY absence_length WHERE closed_at IS NOT NULL ORDER BY closed_at - opened_at DESC`;

/** Of the absences that are known and not over at some time from ?1 to ?2 the longest there are, and all that last. */
function longest(columns: string): string {
  return `(
    SELECT ${columns} FROM (SELECT ${columns} ${byLength} LIMIT ${longestWalked}) WHERE noticed_at < ?2 AND closed_at > ?1
    UNION ALL
    SELECT ${columns} FROM absence INDEXED BY absence_long
      WHERE noticed_at < ?2 AND closed_at IS NULL AND (closed_at IS NULL OR closed_at - noticed_at > ${day})
  )`;
}

/** Questions of which it is remembered how much was overdue: a report asks for two periods. */
const overdueRemembered = 8;

function keyOfOverdue(scope: ScopeIds, { from, to }: Period, alarmWithin: number): string {
  return JSON.stringify([scope, from, to, alarmWithin]);
}

/** No absence. */
export const nobody: OpenCount = { open: 0, closed: 0 };

/** Figures and lists of absences over an open database. */
export function openRecordAbsences(
  scopes: Scopes,
  absences: AbsenceReader,
  rollups: RollupReader,
  eachPiece: ScopePieces,
) {
  const { sums, overdue } = openAbsenceSums(scopes, absences, rollups, eachPiece);
  const told = unchangedReadings<number>(scopes, overdueRemembered);
  const one = scopes.statement(`SELECT object, ${absenceColumns} FROM absence WHERE id = ?`);

  function read(id: number): Absence {
    const row = oneRow(one, id);
    return absenceOf(scopes.refOf(whole(row[0])), row, scopes.textOf);
  }

  return {
    absences(
      scope: ScopeIds,
      { from, to }: Period,
      asked: { readonly order: RankedPage['order']; readonly cursor: RecordCursor | null; readonly limit: number },
    ) {
      const { order, cursor, limit } = asked;
      const after = keyOf(cursor) ?? { rank: Number.MAX_SAFE_INTEGER, id: 0 };
      const rows = rankedRows(scopes, { scope, from, to, order, after, limit: limit + 1 });
      const keyIn = ([rank, id]: Row): PageKey => ({ rank: whole(rank), id: whole(id) });
      return pageOfRows(rows, limit, keyIn, ([, id]) => read(whole(id)));
    },
    /** Time (ms) in a period in which absences were overdue, as `absenceFigures` has it. */
    *overdueIn(scope: ScopeIds, period: Period, alarmWithin: number): Steps<number> {
      if (period.from >= period.to) return 0;
      const read = (): Steps<number> => overdue(scope, period, alarmWithin);
      // No other question has the same piece.
      if (scope.piece !== undefined) return yield* read();
      return yield* told.recallInSteps(keyOfOverdue(scope, period, alarmWithin), read);
    },
    *absenceFigures(scope: ScopeIds, period: Period, alarmWithin: number): Steps<AbsenceFigures> {
      const tally = period.from < period.to ? yield* sums(scope, period, alarmWithin) : emptyTally();
      // A report asks for figures of calls next, which need it again.
      told.renew(keyOfOverdue(scope, period, alarmWithin), () => tally.overdue);
      return figuresOf(tally, openAt(scopes, scope, period.from, period.to), openAt(scopes, scope, period.to));
    },
  };
}

/** Which page of a list is asked for: behind a rank and an id. */
interface RankedPage {
  readonly scope: ScopeIds;
  readonly from: number;
  readonly to: number;
  readonly order: 'longest' | 'newest';
  readonly after: PageKey;
  readonly limit: number;
}

/** Rows of rank and id, by what the index holds: only what is shown is read whole. */
function rankedRows(scopes: Scopes, page: RankedPage): readonly Row[] {
  const columns = 'id, object, cluster, opened_at, noticed_at, closed_at';
  const all = absencesLasting(scopes, page.scope, page, { columns });
  if (page.order === 'newest') return ranked(scopes, all, page);
  const { inOrder, sql, parameters } = scopes.rows(page.scope, 'i');
  const longestOfAll = { from: `${longest(columns)} i ${inOrder}`, sql, parameters };
  return longestRows(scopes, `SELECT closed_at - opened_at ${byLength}`, page.limit, (among) =>
    ranked(scopes, among === 'longest' ? longestOfAll : all, page),
  );
}

function ranked(scopes: Scopes, absences: FromAbsences, { from, to, order, after, limit }: RankedPage): readonly Row[] {
  const rank = order === 'newest' ? 'i.noticed_at' : 'MIN(COALESCE(i.closed_at, ?2), ?2) - MAX(i.opened_at, ?1)';
  const statement = scopes.statement(
    `SELECT rank, id FROM (
       SELECT ${rank} AS rank, i.id FROM ${absences.from} WHERE ${absences.sql} AND (i.closed_at IS NULL OR i.closed_at > i.noticed_at)
     ) WHERE rank < ? OR (rank = ? AND id < ?) ORDER BY rank DESC, id DESC LIMIT ?`,
  );
  return allRows(statement, from, to, ...absences.parameters, after.rank, after.rank, after.id, limit);
}

/** Absences that last at a moment, and how many of those converge before another. */
function openAt(scopes: Scopes, scope: ScopeIds, at: number, before = at): OpenCount {
  const its = { columns: 'object, closed_at, ended', joined: true };
  const absences = absencesLasting(scopes, scope, { from: at - 1, to: at }, its);
  const row = firstRow(
    scopes.statement(
      `SELECT COUNT(*), COALESCE(SUM(i.closed_at < ?3 AND i.ended = 'converged'), 0) FROM ${absences.from} WHERE ${absences.sql}`,
    ),
    at - 1,
    at,
    before,
    ...absences.parameters,
  );
  return row === null ? nobody : { open: whole(row[0]), closed: whole(row[1]) };
}
