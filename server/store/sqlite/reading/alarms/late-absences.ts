import type { FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { allRows, firstWhole, whole } from '../../rows/cells.ts';
import { lastingAbsences } from '../record/absence-reader.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';

/** Counts absences that lasted past their deadline. */
export function openLateAbsences(scopes: Scopes) {
  const columns = 'object, cluster, opened_at, noticed_at, closed_at';

  function late(scope: ScopeIds, told: string) {
    const { join, sql, parameters } = scopes.rows(scope, 'i');
    const statement = scopes.statement(
      `SELECT ${told} FROM ${lastingAbsences(scope, columns)} i ${join && `CROSS ${join}`}
       WHERE MAX(i.noticed_at, i.opened_at + ?3, ?1) < MIN(COALESCE(i.closed_at, ?2), ?2) AND ${sql}`,
    );
    return { statement, parameters };
  }

  function count(scope: ScopeIds, { from, to }: Period, alarmWithin: number): number {
    const { statement, parameters } = late(scope, 'COUNT(*)');
    return firstWhole(statement, from, to, alarmWithin, ...parameters) ?? 0;
  }

  return {
    /** Number of those of a scope that did in a period. */
    count,
    /** Number of those of which some time past the deadline lies in stretches, each cluster (by its id) in its own. */
    countWithin(
      scope: ScopeIds,
      period: Period,
      alarmWithin: number,
      stretches: ReadonlyMap<number, FlatStretches>,
    ): number {
      const some = [...stretches].filter(([, list]) => list.length > 0);
      const all = some.filter(([, list]) => list.length === 2 && covers(list, period));
      const part = some.filter(([, list]) => list.length > 2 || !covers(list, period));
      const scopeOf = (of: readonly (readonly [number, FlatStretches])[]): ScopeIds =>
        of.length === stretches.size ? scope : { ...scope, clusters: of.map(([id]) => id) };
      let found = all.length === 0 ? 0 : count(scopeOf(all), period, alarmWithin);
      if (part.length === 0) return found;
      const { statement, parameters } = late(scopeOf(part), 'i.cluster, i.opened_at, i.closed_at');
      for (const [cluster, opened, closed] of allRows(statement, period.from, period.to, alarmWithin, ...parameters)) {
        const end = closed === null ? period.to : Math.min(whole(closed), period.to);
        const list = stretches.get(whole(cluster));
        if (list !== undefined && isTouched(list, whole(opened) + alarmWithin, end)) found += 1;
      }
      return found;
    },
  };
}

/** True if some of the time from one moment to another lies in stretches. */
export function isTouched(stretches: FlatStretches, from: number, to: number): boolean {
  let [low, high] = [0, stretches.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[2 * middle + 1] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  return from < to && (stretches[2 * low] ?? Infinity) < to;
}

function covers(stretches: FlatStretches, { from, to }: Period): boolean {
  return (stretches[0] ?? Infinity) <= from && (stretches[1] ?? -Infinity) >= to;
}
