import type { Gap } from '#lib/domain/record/gap.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { allRows, text, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import type { SnapshotSpans } from '../../../codec/snapshot-block.ts';
import type { GapReader, GapsOf } from './record-gaps.ts';
import type { Condition, ScopeIds, Scopes } from './record-scope.ts';
import type { SnapshotAt, UnchangedThrough } from '../../rows/snapshot-position.ts';

/** Verdicts as they stand in `verdicts`, by their words. */
const places: ReadonlyMap<string, number> = new Map(verdicts.map((verdict, place) => [verdict, place]));

/** Where a verdict stands in `verdicts`. */
export function verdictIndex(verdict: Verdict): number {
  return places.get(verdict) ?? 0;
}

const unobserved = verdictIndex('unobserved');

/** Is told a stretch [from, to) (ms) in which the same was known of an object; `verdict` is its place in `verdicts`. */
export type PieceVisitor = (
  object: number,
  cluster: number,
  kind: number,
  verdict: number,
  from: number,
  to: number,
) => void;

/** Is told how long (ms) objects of a kind on a cluster were in a verdict, by its place in `verdicts`. */
export type SumVisitor = (cluster: number, kind: number, verdict: number, time: number) => void;

/** Is told a stretch [from, to) (ms) in which an object was seen to be away. */
export type AwayVisitor = (object: number, cluster: number, kind: number, from: number, to: number) => void;

/** Reads spans of many objects with the gaps laid over. */
export interface PieceReader {
  /** What all pieces of a scope in a period come to, and those in which objects were away, in one reading. */
  both(scope: ScopeIds, period: Period, visit: SumVisitor, tellAway: AwayVisitor): void;
  /** Everything of a scope in a period in which objects were away. */
  away(scope: ScopeIds, period: Period, visit: AwayVisitor): void;
  /** Everything of a scope in a period; only what a condition on objects `o` and spans `t` says. */
  each(scope: ScopeIds, period: Period, visit: PieceVisitor, only?: Condition): void;
}

/** By the places of `verdicts`. */
const away = verdicts.map(isAway);
const isOneAway: Condition = {
  sql: `t.to_verdict IN (${verdicts
    .filter(isAway)
    .map((verdict) => `'${verdict}'`)
    .join(', ')})`,
  parameters: [],
};
const anything: Condition = { sql: 'TRUE', parameters: [] };

/** From so many clusters on all objects are looked at in the order of an index, and not sought one by one. */
const manyClusters = 100;

function isWide({ clusters, namespace, name }: ScopeIds): boolean {
  return (clusters === null || clusters.length >= manyClusters) && namespace === null && name === null;
}

/** Of most objects there is one span that lasts; an index holds no others. */
const lasting = 'transition INDEXED BY transition_open';

/** The objects `o` that may have more in a period than one span that lasts since its beginning (?1): behind that lies nothing else. */
function changing(wide: boolean): { readonly from: string; readonly sql: string } {
  const sql = `NOT EXISTS (SELECT 1 FROM ${lasting} WHERE object = o.id AND until IS NULL AND noticed_at <= ?1)`;
  if (!wide) return { from: 'object o', sql };
  const begun = `SELECT object FROM ${lasting} WHERE until IS NULL AND noticed_at > ?1`;
  const without = `SELECT id FROM object n
    WHERE (SELECT COUNT(*) FROM object) <> (SELECT COUNT(*) FROM ${lasting} WHERE until IS NULL)
      AND NOT EXISTS (SELECT 1 FROM ${lasting} WHERE object = n.id AND until IS NULL)`;
  return { from: `(${begun} UNION ${without}) c CROSS JOIN object o ON o.id = c.object`, sql };
}

/** What is written down of what stood. */
interface Snapshots {
  readonly through: UnchangedThrough;
  readonly at: SnapshotAt;
}

const noSnapshots: Snapshots = { through: () => null, at: () => null };

/**
 * Spans as pieces, over an open database: object by object, and of each what it has in the period. It is the same as `segmentsOf` for
 * each object, without a value for each piece: a day of a large fleet has a hundred thousand. Where it is written down what stood
 * through a day, or as it began, only what else there is in it is read.
 */
export function openPieces(scopes: Scopes, gaps: GapReader, stood: Snapshots = noSnapshots): PieceReader {
  const columns = 'o.id, o.cluster, o.kind, t.noticed_at, t.until, t.to_verdict';

  /** What lasts since the beginning of a period (?1). */
  function lastingIn(scope: ScopeIds, only: Condition, wide = isWide(scope)): Condition {
    const within = scopes.objects(scope);
    const from = wide
      ? 'transition t INDEXED BY transition_open CROSS JOIN object o ON o.id = t.object'
      : 'object o CROSS JOIN transition t INDEXED BY transition_open ON t.object = o.id';
    return {
      sql: `FROM ${from} WHERE t.until IS NULL AND t.noticed_at <= ?1 AND t.to_verdict <> '' AND ${within.sql} AND ${only.sql}`,
      parameters: [...within.parameters, ...only.parameters],
    };
  }

  function lastingRows(scope: ScopeIds, { from }: Period, only: Condition, wide = isWide(scope)): readonly Row[] {
    const { sql, parameters } = lastingIn(scope, only, wide);
    return allRows(scopes.statement(`SELECT ${columns} ${sql}`), from, ...parameters);
  }

  function changingRows(scope: ScopeIds, { from, to }: Period, only: Condition, wide = isWide(scope)): readonly Row[] {
    const within = scopes.objects(scope);
    const objects = changing(wide);
    const since =
      'COALESCE((SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at <= ?1), ?1)';
    const statement = scopes.statement(
      `SELECT ${columns} FROM ${objects.from} CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
       WHERE ${objects.sql} AND t.noticed_at >= ${since} AND t.noticed_at < ?2 AND ${within.sql} AND ${only.sql}`,
    );
    return allRows(statement, from, to, ...within.parameters, ...only.parameters);
  }

  /** Tells what of the spans of `columns` lies in a period. */
  function tell(rows: readonly Row[], { from, to }: Period, visit: PieceVisitor): void {
    for (const row of rows) {
      const verdict = places.get(text(row[5]));
      if (verdict === undefined) continue;
      const end = Math.min(wholeOrNull(row[4]) ?? Infinity, to);
      const start = Math.max(whole(row[3]), from);
      if (start < end) visit(whole(row[0]), whole(row[1]), whole(row[2]), verdict, start, end);
    }
  }

  /** Tells all pieces of a period, from what stood as it began and what was noticed in it. */
  function tellSince(begun: SnapshotSpans, scope: ScopeIds, { from, to }: Period, visit: PieceVisitor): void {
    const { sql, parameters } = scopes.objects(scope);
    const noticed = scopes.statement(
      `SELECT ${columns} FROM transition t INDEXED BY transition_verdict CROSS JOIN object o ON o.id = t.object
       WHERE t.to_verdict = ?1 AND t.noticed_at >= ?2 AND t.noticed_at < ?3 AND ${sql}`,
    );
    const changed = new Map<number, number>();
    for (const word of [...verdicts, '']) {
      const rows = allRows(noticed, word, from, to, ...parameters);
      for (const row of rows) {
        const [object, at] = [whole(row[0]), whole(row[3])];
        changed.set(object, Math.min(at, changed.get(object) ?? to));
      }
      tell(rows, { from, to }, visit);
    }
    const objects = scopes.statement(`SELECT o.id, o.cluster, o.kind FROM object o WHERE ${sql}`);
    for (const row of allRows(objects, ...parameters)) {
      const object = whole(row[0]);
      const span = begun.of(object);
      const end = span === null ? from : Math.min(span.until, changed.get(object) ?? to);
      if (span !== null && from < end)
        visit(object, whole(row[1]), whole(row[2]), span.verdict, from, Math.min(end, to));
    }
  }

  function each(scope: ScopeIds, period: Period, visit: PieceVisitor, only: Condition = anything): void {
    if (period.from >= period.to) return;
    const seen = withGaps(gaps.within(scope, period).gapsOf, visit);
    tell(lastingRows(scope, period, only), period, seen);
    tell(changingRows(scope, period, only), period, seen);
  }

  return {
    each,
    away(scope, period, visit) {
      each(
        scope,
        period,
        (object, cluster, kind, verdict, from, to) => {
          if (away[verdict] === true) visit(object, cluster, kind, from, to);
        },
        isOneAway,
      );
    },
    both(scope, period, visit, tellAway) {
      const { from, to } = period;
      if (from >= to) return;
      const { gapsOf, clusters } = gaps.within(scope, period);
      const seen = withGaps(gapsOf, (object, cluster, kind, verdict, start, end) => {
        visit(cluster, kind, verdict, end - start);
        if (away[verdict] === true) tellAway(object, cluster, kind, start, end);
      });
      const others = isWide(scope)
        ? stood.through(scope, period, (object, cluster, kind, verdict) =>
            seen(object, cluster, kind, verdict, from, to),
          )
        : null;
      if (others !== null) {
        const among = { sql: 'o.id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(others)] };
        tell(lastingRows(scope, period, among, false), period, seen);
        tell(changingRows(scope, period, among, false), period, seen);
        return;
      }
      const begun = isWide(scope) ? stood.at(scope, from) : null;
      if (begun !== null) {
        tellSince(begun, scope, period, seen);
        return;
      }
      const blind = '(SELECT value FROM json_each(?))';
      const parameters = [JSON.stringify([...clusters])];
      // Where all was seen the engine adds up what lasts: a fleet is one row for each cluster, kind and verdict then.
      const summed = lastingIn(scope, { sql: `o.cluster NOT IN ${blind} AND NOT ${isOneAway.sql}`, parameters });
      const added = scopes.statement(`SELECT o.cluster, o.kind, t.to_verdict, COUNT(*) ${summed.sql} GROUP BY 1, 2, 3`);
      for (const row of allRows(added, from, ...summed.parameters)) {
        const verdict = places.get(text(row[2]));
        if (verdict !== undefined) visit(whole(row[0]), whole(row[1]), verdict, whole(row[3]) * (to - from));
      }
      const one = { sql: `(o.cluster IN ${blind} OR ${isOneAway.sql})`, parameters };
      tell(lastingRows(scope, period, one), period, seen);
      tell(changingRows(scope, period, anything), period, seen);
    },
  };
}

/** The same with the gaps laid over. */
function withGaps(gapsOf: GapsOf, visit: PieceVisitor): PieceVisitor {
  return (object, cluster, kind, verdict, start, end) => {
    const over = gapsOf(cluster, kind);
    if (over.length === 0) visit(object, cluster, kind, verdict, start, end);
    else
      layOver(over, start, end, (piece, from, to) =>
        visit(object, cluster, kind, piece === 'seen' ? verdict : unobserved, from, to),
      );
  };
}

function layOver(
  gaps: readonly Gap[],
  start: number,
  end: number,
  tell: (piece: 'seen' | 'gap', from: number, to: number) => void,
): void {
  let at = start;
  for (let index = firstAfter(gaps, start); index < gaps.length && at < end; index++) {
    const gap = gaps[index];
    if (gap === undefined || gap.from >= end) break;
    if (gap.from > at) tell('seen', at, gap.from);
    const until = Math.min(end, gap.to ?? Infinity);
    tell('gap', Math.max(at, gap.from), until);
    at = until;
  }
  if (at < end) tell('seen', at, end);
}

/** The first gap that ends after a time; gaps do not overlap and are in order. */
function firstAfter(gaps: readonly Gap[], time: number): number {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((gaps[middle]?.to ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
