import type { Incident } from '#lib/domain/record/incident.ts';
import { day } from '#lib/domain/time/length.ts';
import type { DurationList } from '../../../codec/duration-list.ts';
import type { IncidentColumns, IncidentLists } from '../../../codec/incident-block.ts';
import type { RecordReader } from '../../../port/record-port.ts';
import {
  emptyTally,
  figuresOf,
  overdueOf,
  tallyVisitor,
  type IncidentTally,
  type OpenCount,
} from '../../../record/incidents.ts';
import { allRows, firstRow, whole, type Row } from '../../rows/cells.ts';
import { incidentColumns, incidentOf } from '../../rows/incident-row.ts';
import { lastingIncidents, type IncidentReader } from './incident-reader.ts';
import { longestRows, longestWalked } from './longest-rows.ts';
import { noPage, pageOfRows, placeOf, type PagePlace } from './page-cursor.ts';
import type { RollupReader } from './record-rollups.ts';
import type { ScopeIds, Scopes } from './record-scope.ts';

const byLength = `FROM incident INDEXED BY incident_length WHERE closed_at IS NOT NULL ORDER BY closed_at - opened_at DESC`;

/** Of the incidents that are known and not over at some time from ?1 to ?2 the longest there are, and all that last. */
function longest(columns: string): string {
  return `(
    SELECT ${columns} FROM (SELECT ${columns} ${byLength} LIMIT ${longestWalked}) WHERE noticed_at < ?2 AND closed_at > ?1
    UNION ALL
    SELECT ${columns} FROM incident INDEXED BY incident_long
      WHERE noticed_at < ?2 AND closed_at IS NULL AND (closed_at IS NULL OR closed_at - noticed_at > ${day})
  )`;
}

const nobody: OpenCount = { open: 0, closed: 0 };

/** Figures and lists of incidents over an open database; `textOf` gives the text of an id. */
export function openRecordIncidents(
  scopes: Scopes,
  incidents: IncidentReader,
  rollups: RollupReader,
  textOf: (id: number) => string,
): Pick<RecordReader, 'incidents' | 'incidentFigures'> {
  const one = scopes.statement(`SELECT object, ${incidentColumns} FROM incident WHERE id = ?`);

  function read(id: number): Incident {
    const row = firstRow(one, id);
    if (row === null) throw new Error(`the store has no incident ${id}`);
    return incidentOf(scopes.refOf(whole(row[0])), row, 1, textOf);
  }

  return {
    async incidents(scope, { from, to }, { order, cursor, limit }) {
      const ids = scopes.resolve(scope);
      if (ids === null || from >= to) return noPage;
      const after = placeOf(cursor) ?? { rank: Number.MAX_SAFE_INTEGER, id: 0 };
      const rows = rankedRows(scopes, { scope: ids, from, to, order, after, limit: limit + 1 });
      return pageOfRows(rows, limit, placeIn, ([, id]) => read(whole(id)));
    },
    async incidentFigures(scope, period, alarmWithin) {
      const ids = scopes.resolve(scope);
      const tally = emptyTally();
      if (ids === null) return figuresOf(tally, nobody, nobody);
      if (period.from < period.to) {
        const { rolled, plain } = rollups.partsOf(ids, period);
        for (const part of rolled)
          rollups.eachIncidents(part, (lists) => addLists(tally, lists, ids.kind, alarmWithin));
        const visitor = tallyVisitor(tally, alarmWithin);
        for (const part of plain) incidents.each(part.scope, part.period, visitor);
      }
      return figuresOf(tally, openAt(scopes, ids, period.from, period.to), openAt(scopes, ids, period.to));
    },
  };
}

function placeIn([rank, id]: Row): PagePlace {
  return { rank: whole(rank), id: whole(id) };
}

/** Which page of a list is asked for: behind a rank and an id. */
interface RankedPage {
  readonly scope: ScopeIds;
  readonly from: number;
  readonly to: number;
  readonly order: 'longest' | 'newest';
  readonly after: PagePlace;
  readonly limit: number;
}

/** Rows of rank and id, by what the index holds: only what is shown is read whole. */
function rankedRows(scopes: Scopes, page: RankedPage): readonly Row[] {
  const columns = 'id, object, cluster, opened_at, noticed_at, closed_at';
  const all = lastingIncidents(page.scope, columns);
  if (page.order === 'newest') return ranked(scopes, all, page);
  return longestRows(scopes, `SELECT closed_at - opened_at ${byLength}`, page.limit, (among) =>
    ranked(scopes, among === 'longest' ? longest(columns) : all, page),
  );
}

function ranked(
  scopes: Scopes,
  incidents: string,
  { scope, from, to, order, after, limit }: RankedPage,
): readonly Row[] {
  const { join, sql, parameters } = scopes.rows(scope, 'i');
  const rank = order === 'newest' ? 'i.noticed_at' : 'MIN(COALESCE(i.closed_at, ?2), ?2) - MAX(i.opened_at, ?1)';
  const statement = scopes.statement(
    `SELECT rank, id FROM (
       SELECT ${rank} AS rank, i.id FROM ${incidents} i
       ${join && `CROSS ${join}`}
       WHERE ${sql} AND (i.closed_at IS NULL OR i.closed_at > i.noticed_at)
     ) WHERE rank < ? OR (rank = ? AND id < ?) ORDER BY rank DESC, id DESC LIMIT ?`,
  );
  return allRows(statement, from, to, ...parameters, after.rank, after.rank, after.id, limit);
}

/** Incidents that last at a moment, and how many of those converge before another. */
function openAt(scopes: Scopes, scope: ScopeIds, at: number, before = at): OpenCount {
  const { sql, parameters } = scopes.objects(scope);
  const row = firstRow(
    scopes.statement(
      `SELECT COUNT(*), COALESCE(SUM(i.closed_at < ?3 AND i.ended = 'converged'), 0)
       FROM ${lastingIncidents(scope, 'object, closed_at, ended')} i CROSS JOIN object o ON o.id = i.object WHERE ${sql}`,
    ),
    at - 1,
    at,
    before,
    ...parameters,
  );
  return row === null ? nobody : { open: whole(row[0]), closed: whole(row[1]) };
}

/** Adds what is rolled up, of one kind or of all (null). */
function addLists(
  tally: IncidentTally,
  { numbers, ...lists }: IncidentLists,
  kind: number | null,
  alarmWithin: number,
): void {
  /** Number of entries of a list that are of the kind; their durations are gathered. */
  function taken({ count, kinds, first }: IncidentColumns, durations: DurationList | null): number {
    if (kind === null) {
      durations?.addAll(numbers.subarray(first, first + count));
      return count;
    }
    let found = 0;
    for (let index = 0; index < count; index++) {
      if (numbers[kinds + index] !== kind) continue;
      durations?.add(numbers[first + index] ?? 0);
      found++;
    }
    return found;
  }
  tally.opened += taken(lists.opened, tally.toNotice) + taken(lists.openedAtLeast, null);
  tally.closed += taken(lists.closed, tally.toConverge) + taken(lists.closedAtLeast, tally.toConverge);
  taken(lists.closedAtLeast, tally.toConvergeAtLeast);
  tally.gone += taken(lists.gone, null);
  const { count, kinds, first, second } = lists.away;
  for (let index = 0; index < count; index++) {
    if (kind !== null && kind !== numbers[kinds + index]) continue;
    tally.overdue += overdueOf(numbers[first + index] ?? 0, numbers[second + index] ?? 0, alarmWithin);
  }
}
