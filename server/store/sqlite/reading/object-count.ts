import { day as dayLength } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { firstRow, firstWhole } from '../rows/cells.ts';
import type { RollupReader } from './record/record-rollups.ts';
import { among, type Condition, type ScopeIds, type Scopes } from './record/record-scope.ts';
import { sinceSpanAt } from './record/record-spans.ts';
import { readSnapshot, snapshotPosition } from './snapshots.ts';

/** Objects `o` that existed in a period, with the parameters of `existedWithin`. Most have a span that lasts: it is sought first, in an index of such alone. */
export const existed = `(EXISTS (
    SELECT 1 FROM transition l INDEXED BY transition_open
    WHERE l.object = o.id AND l.until IS NULL AND l.noticed_at < ? AND l.to_verdict <> ''
  ) OR EXISTS (
    SELECT 1 FROM transition t INDEXED BY transition_span WHERE t.object = o.id AND t.noticed_at >= ${sinceSpanAt} AND t.noticed_at < ?
      AND t.to_verdict <> '' AND (t.until IS NULL OR (t.until > ? AND t.until > t.noticed_at))))`;

/** Its parameters. */
export function existedWithin({ from, to }: Period): readonly number[] {
  return [to, from, from, to, from];
}

/**
 * Counts the objects that existed in a period, over an open database. Where the last beginning of a day in it is written down, what stood
 * then did; only what did not is sought.
 */
export function openObjectCount(scopes: Scopes, rollups: RollupReader): (scope: ScopeIds, period: Period) => number {
  /** Objects `o` of a condition, each sought in the period. */
  function seek({ sql, parameters }: Condition, period: Period): number {
    const statement = scopes.statement(`SELECT COUNT(*) FROM object o WHERE ${sql} AND ${existed}`);
    return firstWhole(statement, ...parameters, ...existedWithin(period)) ?? 0;
  }

  function standing(scope: ScopeIds, day: number, period: Period): number {
    const spans = readSnapshot(scopes, scope, snapshotPosition(day));
    const { sql, parameters } = scopes.objects(scope);
    const objects = scopes.ids(`SELECT o.id FROM object o WHERE ${sql}`, parameters);
    const others = objects.filter((object) => {
      const span = spans.of(object);
      return span === null || span.until <= day;
    });
    return objects.length - others.length + (others.length === 0 ? 0 : seek(among(others), period));
  }

  return (scope, period) => {
    const day = dayOf(period.to);
    if (day < period.from) return seek(scopes.objects(scope), period);
    const { rolled, plain } = rollups.partsOf(scope, { from: day, to: day + dayLength });
    return [
      ...rolled.map((part) => standing(part.scope, day, period)),
      ...plain.map((part) => seek(scopes.objects(part.scope), period)),
    ].reduce((sum, count) => sum + count, 0);
  };
}

/** Tells if any object existed in a period, over an open database. It reads no further than the first that did. */
export function openHasObject(scopes: Scopes): (scope: ScopeIds, period: Period) => boolean {
  return (scope, period) => {
    const { sql, parameters } = scopes.objects(scope);
    const statement = scopes.statement(`SELECT 1 FROM object o WHERE ${sql} AND ${existed} LIMIT 1`);
    return firstRow(statement, ...parameters, ...existedWithin(period)) !== null;
  };
}
