import type { FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { firstWhole } from '../../rows/cells.ts';
import { absencesLasting } from '../record/absence-reader.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import type { Steps } from '../steps/steps.ts';

/** Which absences are counted: those that were known, past their deadline and not over at some time in a period. */
interface LateAsked {
  readonly scope: ScopeIds;
  readonly period: Period;
  readonly alarmWithin: number;
  /** Of those alone that ended in it; those that last end at Infinity. */
  readonly ended: Period;
}

/** In SQL the end of an absence that lasts. */
export const lasts = Number.MAX_SAFE_INTEGER - 1;

/** Any time in which something ended, or lasts. */
export const ever: Period = { from: -Infinity, to: Infinity };

/** A time in which absences ended, in the numbers of SQL. */
export function endsOf({ from, to }: Period): readonly [number, number] {
  return [Math.max(from, Number.MIN_SAFE_INTEGER), Math.min(to, Number.MAX_SAFE_INTEGER)];
}

/** Counts absences that lasted past their deadline. */
export type LateAbsences = ReturnType<typeof openLateAbsences>;

/** Prepares the counting over an open database. */
export function openLateAbsences(scopes: Scopes) {
  /** Those that began and ended in a stretch; one that lasts ends with the period. */
  function within({ scope, period, alarmWithin, ended }: LateAsked, stretch: Period): number {
    const [from, to] = [Math.max(stretch.from, period.from, ended.from - 1), Math.min(stretch.to, period.to, ended.to)];
    const columns = 'object, cluster, opened_at, noticed_at, closed_at';
    const absences = absencesLasting(scopes, scope, { from, to }, { columns });
    const statement = scopes.statement(
      `SELECT COUNT(*) FROM ${absences.from}
       WHERE i.opened_at >= ?6 AND MIN(COALESCE(i.closed_at, ?5), ?5) <= ?7 AND i.opened_at < ?2 - ?3
         AND CASE WHEN i.closed_at IS NULL THEN ?4 < ?5 AND ?9 > ${lasts} ELSE i.noticed_at < i.closed_at AND i.opened_at < i.closed_at - ?3
           AND i.closed_at > ?4 AND i.closed_at >= ?8 AND i.closed_at < ?9 END AND ${absences.sql}`,
    );
    const of = [alarmWithin, period.from, period.to, ...endsOf(stretch), ...endsOf(ended)];
    return firstWhole(statement, from, to, ...of, ...absences.parameters) ?? 0;
  }

  return {
    /** Number of all. */
    count: (asked: LateAsked): number => within(asked, ever),
    /** Number of those of which no time lies in stretches, each cluster (by its id) in its own. */
    *countOutside({ scope, ...asked }: LateAsked, stretches: ReadonlyMap<number, FlatStretches>): Steps<number> {
      const alike = Map.groupBy([...stretches], ([, list]) => list.join(' '));
      let found = 0;
      for (const its of alike.values()) {
        const list = its[0]?.[1] ?? new Float64Array(0);
        const of = its.length === stretches.size ? scope : { ...scope, clusters: its.map(([id]) => id) };
        const [begins, ends] = [Math.max(asked.period.from, asked.ended.from), asked.period.to];
        // What lies in none lies between two.
        for (let place = -1; place < list.length; place += 2) {
          const between = { from: list[place] ?? -Infinity, to: list[place + 1] ?? Infinity };
          if (between.to < begins || between.from >= ends) continue;
          found += within({ ...asked, scope: of }, between);
          yield;
        }
      }
      return found;
    },
  };
}
