import type { Absence } from '#lib/domain/record/absence.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { boundOf } from '../../../codec/traits.ts';
import { visitAway, visitEnded, visitOpened, type AbsenceVisitor } from '../../../record/absences.ts';
import { allRows, text, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { endedOf } from '../../rows/record-rows.ts';
import type { ObjectIds } from './piece-visitors.ts';
import type { PieceReader } from './record-pieces.ts';
import { ofClusters, seenObjects, type Condition, type ScopeIds, type Scopes } from './record-scope.ts';

/**
 * Absences that are known and not over at some time from ?1 to ?2: those noticed since a day before, and of the older ones those
 * that last for longer than a day. Few do, so the record's length does not matter. Of one cluster: all of its own.
 */
function lastingAbsences(scope: ScopeIds, columns: string): string {
  const [only] = scope.clusters ?? [];
  if (only !== undefined && scope.clusters?.length === 1) {
    return `(SELECT ${columns} FROM absence INDEXED BY absence_cluster
      WHERE cluster = ${only} AND noticed_at < ?2 AND (closed_at IS NULL OR closed_at > ?1))`;
  }
  return `(
    SELECT ${columns} FROM absence INDEXED BY absence_noticed
      WHERE noticed_at >= ?1 - ${day} AND noticed_at < ?2 AND (closed_at IS NULL OR closed_at > ?1)
    UNION ALL
    SELECT ${columns} FROM absence INDEXED BY absence_long
      WHERE noticed_at < ?1 - ${day} AND noticed_at < ?2 AND (closed_at IS NULL OR closed_at - noticed_at > ${day})
        AND (closed_at IS NULL OR closed_at > ?1)
  )`;
}

/** Absences `i`, from FROM on, and a condition. */
export interface FromAbsences extends Condition {
  readonly from: string;
}

/** To read one that is found by its object costs so much more than to read what an index holds of one. */
const soughtCost = 3;

/**
 * True if absences are read object by object: where few objects are seen, of all that there are, and a period is not much shorter than the record. Of one
 * cluster in any case.
 */
function areSought(scopes: Scopes, scope: ScopeIds, { from, to }: Period): boolean {
  const seen = seenObjects(scope);
  if (seen === null || scope.clusters?.length === 1) return seen !== null;
  const [first = 0, last = 0] = ['', 'DESC'].flatMap((order) =>
    scopes.ids(`SELECT noticed_at FROM absence INDEXED BY absence_noticed ORDER BY noticed_at ${order} LIMIT 1`),
  );
  const time = Math.max(0, Math.min(to, last + 1) - Math.max(from - day, first)) / (last + 1 - first);
  return soughtCost * seen.count <= time * seen.among;
}

/**
 * Absences of a scope that are known and not over at some time of a period, which is ?1 to ?2 of the statement, with these columns and, where `joined`, with
 * their objects `o`.
 */
export function absencesLasting(
  scopes: Scopes,
  scope: ScopeIds,
  period: Period,
  { columns, joined = false }: { readonly columns: string; readonly joined?: boolean },
): FromAbsences {
  if (areSought(scopes, scope, period)) {
    const lasting = 'i.noticed_at < ?2 AND (i.closed_at IS NULL OR i.closed_at > ?1)';
    const absences = `absence i INDEXED BY absence_once ON i.object = o.id AND ${lasting}`;
    return { from: `object o CROSS JOIN ${absences}`, ...scopes.objects(scope) };
  }
  const all = `${lastingAbsences(scope, columns)} i`;
  if (joined) return { from: `${all} CROSS JOIN object o ON o.id = i.object`, ...scopes.objects(scope) };
  const { inOrder, sql, parameters } = scopes.rows(scope, 'i');
  return { from: `${all} ${inOrder}`, sql, parameters };
}

/** Reads absences from their rows. */
export interface AbsenceReader {
  /** Those that are known and not over at some time in the period, by object. */
  within(scope: ScopeIds, period: Period): ReadonlyMap<number, readonly KnownAbsence[]>;
  /** Visits their time away alone. */
  away(scope: ScopeIds, period: Period, visitor: Pick<AbsenceVisitor<number>, 'away'>): void;
  /** Visits what happened to those of a scope in a period, by the ids of kinds. */
  each(scope: ScopeIds, period: Period, visitor: AbsenceVisitor<number>): void;
}

/** An absence as far as its times go. Those of one that lasts end at Infinity. */
export interface KnownAbsence extends ObjectIds {
  readonly openedAt: number;
  readonly noticedAt: number;
  readonly closedAt: number;
  readonly bound: Absence['bound'];
  /** The id of the text of its range. */
  readonly range: number | null;
}

/** Absences over an open database, from their own rows and from spans. */
export function openAbsenceReader(scopes: Scopes, pieces: Pick<PieceReader, 'awayOf'>): AbsenceReader {
  function within(scope: ScopeIds, { from, to }: Period): ReadonlyMap<number, readonly KnownAbsence[]> {
    const columns = 'object, opened_at, noticed_at, closed_at, bound, commit_range';
    const absences = absencesLasting(scopes, scope, { from, to }, { columns, joined: true });
    const statement = scopes.statement(
      `SELECT i.object, i.opened_at, i.noticed_at, i.closed_at, i.bound, i.commit_range, o.cluster, o.kind
       FROM ${absences.from} WHERE ${absences.sql}`,
    );
    const known = new Map<number, KnownAbsence[]>();
    for (const row of allRows(statement, from, to, ...absences.parameters)) {
      const ids = { cluster: whole(row[6]), kind: whole(row[7]) };
      const absence = { ...timesOf(row), range: wholeOrNull(row[5]), ...ids };
      const others = known.get(whole(row[0]));
      if (others === undefined) known.set(whole(row[0]), [absence]);
      else others.push(absence);
    }
    return known;
  }

  /** Rows of kind, opened_at, noticed_at, closed_at, bound and ended of those whose `time` lies in a period. */
  function timed(scope: ScopeIds, { from, to }: Period, time: 'noticed_at' | 'closed_at'): readonly Row[] {
    const objects = scopes.objects(scope);
    const clusters = ofClusters(scope, 'i.cluster');
    const absences = areSought(scopes, scope, { from, to })
      ? 'object o CROSS JOIN absence i INDEXED BY absence_once ON i.object = o.id'
      : 'absence i CROSS JOIN object o ON o.id = i.object';
    const statement = scopes.statement(
      `SELECT o.kind, i.opened_at, i.noticed_at, i.closed_at, i.bound, i.ended FROM ${absences}
       WHERE ${objects.sql} AND ${clusters.sql} AND i.${time} >= ? AND i.${time} < ?`,
    );
    return allRows(statement, ...objects.parameters, ...clusters.parameters, from, to);
  }

  function away(scope: ScopeIds, period: Period, visitor: Pick<AbsenceVisitor<number>, 'away'>): void {
    const absences = within(scope, period);
    if (absences.size === 0) return;
    const objects = new Map(
      [...absences].flatMap(([object, [first]]) => (first === undefined ? [] : [[object, first]])),
    );
    pieces.awayOf(scope, period, objects, (object, _cluster, kind, from, to) => {
      for (const absence of absences.get(object) ?? []) visitAway(visitor, kind, absence, { from, to });
    });
  }

  return {
    within,
    away,
    each(scope, period, visitor) {
      for (const row of timed(scope, period, 'noticed_at')) visitOpened(visitor, whole(row[0]), timesOf(row));
      for (const row of timed(scope, period, 'closed_at')) {
        const times = timesOf(row);
        visitEnded(visitor, whole(row[0]), times.closedAt, { ...times, ended: endedOf(text(row[5])) });
      }
      away(scope, period, visitor);
    },
  };
}

/** Of a row whose second to fifth columns are opened_at, noticed_at, closed_at and bound. */
function timesOf(row: Row): Omit<KnownAbsence, 'range' | keyof ObjectIds> {
  return {
    openedAt: whole(row[1]),
    noticedAt: whole(row[2]),
    closedAt: wholeOrNull(row[3]) ?? Infinity,
    bound: boundOf(text(row[4])),
  };
}
