import { day as dayLength } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { firstRow, firstWhole } from '../rows/cells.ts';
import { keptSums } from './record/kept/kept-sums.ts';
import { firstSpan } from './record/first-span.ts';
import type { Stood } from './record/record-pieces.ts';
import type { RollupReader } from './record/record-rollups.ts';
import { among, type Condition, type ScopeIds, type Scopes } from './record/record-scope.ts';
import { sinceSpanAt } from './record/record-spans.ts';

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

/** Memory that is used at most for numbers of objects: so many of the whole fleet that nobody asks for as many. */
const keptBytes = 2 ** 20;

/**
 * Counts the objects that existed in a period, over an open database. That of days that are rolled up is kept. Where it is written down
 * what stood as the last day of it began, or as it ended, that did exist; only the other objects are sought.
 */
export function openObjectCount(
  scopes: Scopes,
  rollups: RollupReader,
  stood: Pick<Stood, 'at'>,
): (scope: ScopeIds, period: Period) => number {
  const kept = keptSums<number>(scopes, { of: 'days', bytes: keptBytes, bytesOf: () => 0 });

  /** Objects `o` of conditions, each sought in the period. */
  function seek(period: Period, ...conditions: readonly Condition[]): number {
    const sql = conditions.map((condition) => condition.sql).join(' AND ');
    const statement = scopes.statement(`SELECT COUNT(*) FROM object o WHERE ${sql} AND ${existed}`);
    const parameters = conditions.flatMap((condition) => condition.parameters);
    return firstWhole(statement, ...parameters, ...existedWithin(period)) ?? 0;
  }

  /** Those of a scope; `day` begins within the period, or as it ends. */
  function count(scope: ScopeIds, day: number, period: Period): number {
    const begun = stood.at(scope, day);
    if (begun === null) return seek(period, scopes.objects(scope));
    const { objects, until, others, knownUpTo } = begun;
    const over = objects.filter((_object, index) => (until[index] ?? day) <= day);
    const sought = [...others, ...over];
    const later = { sql: 'o.id > ?', parameters: [knownUpTo] };
    return (
      objects.length -
      over.length +
      (sought.length === 0 ? 0 : seek(period, among(sought))) +
      seek(period, scopes.objects(scope), later)
    );
  }

  function counted(scope: ScopeIds, period: Period): number {
    const day = dayOf(period.to);
    if (day < period.from) return seek(period, scopes.objects(scope));
    const { rolled, plain } = rollups.partsOf(scope, { from: day - dayLength, to: day });
    return [...rolled, ...plain].reduce((sum, part) => sum + count(part.scope, day, period), 0);
  }

  return (scope, { from, to }) => {
    const period = { from: Math.max(from, firstSpan(scopes, scope)), to };
    if (period.from >= period.to) return 0;
    return rollups.isRolled(scope, period)
      ? kept.recall(period, JSON.stringify(scope), () => counted(scope, period))
      : counted(scope, period);
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
