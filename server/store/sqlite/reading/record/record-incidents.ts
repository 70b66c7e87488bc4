import type { Incident } from '#lib/domain/record/incident.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { durationList, type DurationList } from '../../../codec/duration-list.ts';
import type { IncidentColumns } from '../../../codec/incident-block.ts';
import type { RecordReader } from '../../../port/record-port.ts';
import type { Wide } from '../../../codec/pack/wide-numbers.ts';
import { boundOf } from '../../../codec/traits.ts';
import { allRows, firstRow, text, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { incidentColumns, incidentOf } from '../../rows/incident-row.ts';
import type { PieceReader } from './record-pieces.ts';
import type { RollupReader } from './record-rollups.ts';
import { isOfClusters, ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/**
 * Incidents that are known and not over at some time from ?1 to ?2: those noticed since a day before, and of the older ones those
 * that last for longer than a day. Few do, so the record's length does not matter. Of one cluster: all of its own.
 */
function lasting(scope: ScopeIds, columns: string): string {
  const [only] = scope.clusters ?? [];
  if (only !== undefined && scope.clusters?.length === 1) {
    return `(SELECT ${columns} FROM incident INDEXED BY incident_cluster
      WHERE cluster = ${only} AND noticed_at < ?2 AND (closed_at IS NULL OR closed_at > ?1))`;
  }
  return `(
    SELECT ${columns} FROM incident INDEXED BY incident_noticed
      WHERE noticed_at >= ?1 - ${day} AND noticed_at < ?2 AND (closed_at IS NULL OR closed_at > ?1)
    UNION ALL
    SELECT ${columns} FROM incident INDEXED BY incident_long
      WHERE noticed_at < ?1 - ${day} AND noticed_at < ?2 AND (closed_at IS NULL OR closed_at - noticed_at > ${day})
        AND (closed_at IS NULL OR closed_at > ?1)
  )`;
}

/** How many of the longest incidents are looked at before all of a period are. */
const longestWalked = 10_000;
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

/** What is told of the incidents of a period, of those of one kind or of all. Times in ms. */
export interface IncidentVisitor {
  /** One that began; `toNotice` is null where it is not known when. */
  opened(kind: number, at: number, toNotice: number | null): void;
  /** One that ended by converging. */
  closed(kind: number, at: number, toConverge: number, atLeast: boolean): void;
  /** One that ended in any other way. */
  gone(kind: number, at: number): void;
  /** A stretch of observed time away, from `from` on, that long; `age` is how long the object had been away by then. */
  away(kind: number, from: number, age: number, length: number): void;
}

/** Reads incidents from their rows. */
export interface IncidentReader {
  /** Those that are known and not over at some time in the period, by object. */
  within(scope: ScopeIds, period: Period): ReadonlyMap<number, readonly Known[]>;
  each(scope: ScopeIds, period: Period, visitor: IncidentVisitor): void;
}

/** An incident as far as its times go. Those of one that lasts end at Infinity. */
interface Known {
  readonly openedAt: number;
  readonly noticedAt: number;
  readonly closedAt: number;
  readonly bound: Incident['bound'];
  /** The id of the text of its range. */
  readonly range: number | null;
}

/** Incidents over an open database, from their own rows and from spans. */
export function openIncidentReader(scopes: Scopes, pieces: Pick<PieceReader, 'away'>): IncidentReader {
  function within(scope: ScopeIds, { from, to }: Period): ReadonlyMap<number, readonly Known[]> {
    const { sql, parameters } = scopes.objects(scope);
    const rows = allRows(
      scopes.statement(
        `SELECT i.object, i.opened_at, i.noticed_at, i.closed_at, i.bound, i.commit_range
         FROM ${lasting(scope, 'object, opened_at, noticed_at, closed_at, bound, commit_range')} i CROSS JOIN object o ON o.id = i.object
         WHERE ${sql}`,
      ),
      from,
      to,
      ...parameters,
    );
    const known = new Map<number, Known[]>();
    for (const row of rows) {
      const [object, noticedAt] = [whole(row[0]), whole(row[2])];
      const incident = {
        openedAt: whole(row[1]),
        noticedAt,
        closedAt: wholeOrNull(row[3]) ?? Infinity,
        bound: boundOf(text(row[4])),
        range: wholeOrNull(row[5]),
      };
      const others = known.get(object);
      if (others === undefined) known.set(object, [incident]);
      else others.push(incident);
    }
    return known;
  }

  return {
    within,
    each(scope, period, visitor) {
      const { sql, parameters } = scopes.objects(scope);
      const clusters = ofClusters(scope, 'i.cluster');
      const opened = scopes.statement(
        `SELECT o.kind, i.noticed_at, i.opened_at, i.bound FROM incident i CROSS JOIN object o ON o.id = i.object
         WHERE ${sql} AND ${clusters.sql} AND i.noticed_at >= ? AND i.noticed_at < ?`,
      );
      for (const row of allRows(opened, ...parameters, ...clusters.parameters, period.from, period.to)) {
        const [noticedAt, openedAt] = [whole(row[1]), whole(row[2])];
        visitor.opened(
          whole(row[0]),
          noticedAt,
          boundOf(text(row[3])) === 'exact' ? Math.max(0, noticedAt - openedAt) : null,
        );
      }
      const closed = scopes.statement(
        `SELECT o.kind, i.closed_at, i.opened_at, i.bound, i.ended FROM incident i CROSS JOIN object o ON o.id = i.object
         WHERE ${sql} AND ${clusters.sql} AND i.closed_at >= ? AND i.closed_at < ?`,
      );
      for (const row of allRows(closed, ...parameters, ...clusters.parameters, period.from, period.to)) {
        const [closedAt, openedAt] = [whole(row[1]), whole(row[2])];
        if (text(row[4]) !== 'converged') visitor.gone(whole(row[0]), closedAt);
        else
          visitor.closed(
            whole(row[0]),
            closedAt,
            Math.max(0, closedAt - openedAt),
            boundOf(text(row[3])) === 'at-least',
          );
      }
      const incidents = within(scope, period);
      if (incidents.size === 0) return;
      pieces.away(scope, period, (object, _cluster, kind, from, to) => {
        for (const { openedAt, noticedAt, closedAt } of incidents.get(object) ?? []) {
          const [start, end] = [Math.max(from, noticedAt), Math.min(to, closedAt)];
          if (start < end) visitor.away(kind, start, Math.max(0, start - openedAt), end - start);
        }
      });
    },
  };
}

/** Figures and lists of incidents over an open database; `textOf` gives the text of an id. */
export function openRecordIncidents(
  scopes: Scopes,
  incidents: IncidentReader,
  rollups: RollupReader,
  textOf: (id: number) => string,
): Pick<RecordReader, 'incidents' | 'incidentFigures'> {
  /** Incidents that last at a moment, and how many of those converge before another. */
  function openAt(scope: ScopeIds, at: number, before = at): { readonly open: number; readonly closed: number } {
    const { sql, parameters } = scopes.objects(scope);
    const row = firstRow(
      scopes.statement(
        `SELECT COUNT(*), COALESCE(SUM(i.closed_at < ?3 AND i.ended = 'converged'), 0)
         FROM ${lasting(scope, 'object, closed_at, ended')} i CROSS JOIN object o ON o.id = i.object WHERE ${sql}`,
      ),
      at - 1,
      at,
      before,
      ...parameters,
    );
    return row === null ? { open: 0, closed: 0 } : { open: whole(row[0]), closed: whole(row[1]) };
  }

  /** How long (ms) the shortest of the longest is; null where they are all that there are. */
  function shortestOfLongest(): number | null {
    const statement = scopes.statement(`SELECT closed_at - opened_at ${byLength} LIMIT 1 OFFSET ${longestWalked - 1}`);
    const row = firstRow(statement);
    return row === null ? null : whole(row[0]);
  }

  return {
    async incidents(scope, period, { order, cursor, limit }) {
      const ids = scopes.resolve(scope);
      const { from, to } = period;
      if (ids === null || from >= to) return { items: [], next: null };
      const byCluster = isOfClusters(ids);
      const { sql, parameters } = byCluster ? ofClusters(ids, 'i.cluster') : scopes.objects(ids);
      const rank = order === 'newest' ? 'i.noticed_at' : 'MIN(COALESCE(i.closed_at, ?2), ?2) - MAX(i.opened_at, ?1)';
      const place = /^(-?\d+)\.(\d+)$/.exec(cursor ?? '');
      const after = [Number(place?.[1] ?? Number.MAX_SAFE_INTEGER), Number(place?.[2] ?? 0)] as const;
      // Ranked by what the index holds; only what is shown is read whole.
      const ranked = (incidents: string): readonly Row[] =>
        allRows(
          scopes.statement(
            `SELECT rank, id FROM (
               SELECT ${rank} AS rank, i.id FROM ${incidents} i
               ${byCluster ? '' : 'CROSS JOIN object o ON o.id = i.object'}
               WHERE ${sql} AND (i.closed_at IS NULL OR i.closed_at > i.noticed_at)
             ) WHERE rank < ? OR (rank = ? AND id < ?) ORDER BY rank DESC, id DESC LIMIT ?`,
          ),
          from,
          to,
          ...parameters,
          after[0],
          after[0],
          after[1],
          limit + 1,
        );
      const columns = 'id, object, cluster, opened_at, noticed_at, closed_at';
      const top = order === 'newest' ? [] : ranked(longest(columns));
      // All others are at most as long as the shortest that was looked at, whatever of them is in the period.
      const [next, shortest] = [top[limit], shortestOfLongest()];
      const enough = shortest === null || (next !== undefined && whole(next[0]) > shortest);
      const rows = order === 'longest' && enough ? top : ranked(lasting(ids, columns));
      const one = scopes.statement(`SELECT object, ${incidentColumns} FROM incident WHERE id = ?`);
      const items = rows
        .slice(0, limit)
        .flatMap(([, id]): Incident[] =>
          allRows(one, whole(id)).map((row) => incidentOf(scopes.refOf(whole(row[0])), row, 1, textOf)),
        );
      const last = rows[limit - 1];
      return { items, next: rows.length > limit && last ? `${whole(last[0])}.${whole(last[1])}` : null };
    },
    async incidentFigures(scope, period, alarmWithin) {
      const ids = scopes.resolve(scope);
      const [toConverge, toConvergeAtLeast, toNotice] = [durationList(), durationList(), durationList()];
      let [opened, closed, gone, overdue] = [0, 0, 0, 0];
      const visitor: IncidentVisitor = {
        opened(_kind, _at, noticed) {
          opened++;
          if (noticed !== null) toNotice.add(noticed);
        },
        closed(_kind, _at, time, atLeast) {
          closed++;
          toConverge.add(time);
          if (atLeast) toConvergeAtLeast.add(time);
        },
        gone() {
          gone++;
        },
        away(_kind, _from, age, length) {
          overdue += overdueOf(age, length, alarmWithin);
        },
      };
      /** How many entries of a list are of the kind that is asked for; their durations are gathered. */
      function taken(numbers: Wide, { count, kinds, first }: IncidentColumns, durations: DurationList | null): number {
        const kind = ids?.kind ?? null;
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
      if (ids !== null && period.from < period.to) {
        const { rolled, plain } = rollups.partsOf(ids, period);
        for (const part of rolled) {
          rollups.eachIncidents(part, ({ numbers, ...lists }) => {
            opened += taken(numbers, lists.opened, toNotice) + taken(numbers, lists.openedAtLeast, null);
            closed += taken(numbers, lists.closed, toConverge) + taken(numbers, lists.closedAtLeast, toConverge);
            taken(numbers, lists.closedAtLeast, toConvergeAtLeast);
            gone += taken(numbers, lists.gone, null);
            const { count, kinds, first, second } = lists.away;
            for (let index = 0; index < count; index++) {
              if (ids.kind !== null && ids.kind !== numbers[kinds + index]) continue;
              overdue += overdueOf(numbers[first + index] ?? 0, numbers[second + index] ?? 0, alarmWithin);
            }
          });
        }
        for (const part of plain) incidents.each(part.scope, part.period, visitor);
      }
      const atStart = ids === null ? nobody : openAt(ids, period.from, period.to);
      return {
        opened,
        openAtStart: atStart.open,
        closed,
        closedFromBefore: atStart.closed,
        gone,
        open: (ids === null ? nobody : openAt(ids, period.to)).open,
        toConverge: toConverge.ascending(),
        toConvergeAtLeast: toConvergeAtLeast.ascending(),
        toNotice: toNotice.ascending(),
        overdue,
      };
    },
  };
}

const nobody = { open: 0, closed: 0 };

/** What of a stretch away that began at an age lies beyond the time in which an alarm should sound. */
function overdueOf(age: number, length: number, alarmWithin: number): number {
  return Math.max(0, Math.min(length, age + length - alarmWithin));
}
