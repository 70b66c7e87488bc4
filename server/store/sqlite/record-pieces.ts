import type { Gap } from '#lib/domain/gap.ts';
import type { Period } from '#lib/domain/span.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict.ts';
import { allRows, text, whole, wholeOrNull } from './cells.ts';
import type { GapReader } from './record-gaps.ts';
import type { Condition, ScopeIds, Scopes } from './record-scope.ts';
import { sinceSpanAt } from './record-spans.ts';

/** Verdicts as they stand in `verdicts`, by their words. */
const places: ReadonlyMap<string, number> = new Map(verdicts.map((verdict, place) => [verdict, place]));

/** Where a verdict stands in `verdicts`. */
export function placeOfVerdict(verdict: Verdict): number {
  return places.get(verdict) ?? 0;
}

const unobserved = placeOfVerdict('unobserved');

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

/** Reads spans of many objects with the gaps laid over. */
export interface PieceReader {
  /** What all pieces of a scope in a period come to. */
  sums(scope: ScopeIds, period: Period, visit: SumVisitor): void;
  /** Everything of a scope in a period; only what a condition on objects `o` and spans `t` says. */
  each(scope: ScopeIds, period: Period, visit: PieceVisitor, only?: Condition): void;
}

/**
 * Whether the span of object `o` that lasts began at a moment or before: nothing else of it lies behind that. Of most objects there
 * is such a one, and an index of no more than those that last.
 */
function lastsSince(moment: string): string {
  return `EXISTS (SELECT 1 FROM transition l INDEXED BY transition_open WHERE l.object = o.id AND l.until IS NULL AND l.noticed_at <= ${moment})`;
}

/**
 * Spans as pieces, over an open database: object by object, a seek for each and then what it has in the period. It is the same as
 * `segmentsOf` for each object, without a value for each piece: a day of a large fleet has a hundred thousand.
 */
export function openPieces(scopes: Scopes, gaps: GapReader): PieceReader {
  const reader: PieceReader = {
    sums(scope, { from, to }, visit) {
      if (from >= to) return;
      const blind = [...gaps.blind(scope, { from, to })];
      if (blind.length > 0) {
        reader.each({ ...scope, clusters: blind }, { from, to }, (_object, cluster, kind, verdict, start, end) =>
          visit(cluster, kind, verdict, end - start),
        );
      }
      // Where all was seen the engine adds up: a fleet is one row for each cluster, kind and verdict then.
      const within = scopes.objects(scope);
      const throughout = scopes.statement(
        `SELECT o.cluster, o.kind, t.to_verdict, COUNT(*) FROM object o CROSS JOIN transition t INDEXED BY transition_open ON t.object = o.id
         WHERE t.until IS NULL AND t.noticed_at <= ?1 AND t.to_verdict <> ''
           AND o.cluster NOT IN (SELECT value FROM json_each(?2)) AND ${within.sql}
         GROUP BY o.cluster, o.kind, t.to_verdict`,
      );
      for (const row of allRows(throughout, from, JSON.stringify(blind), ...within.parameters)) {
        const verdict = places.get(text(row[2]));
        if (verdict !== undefined) visit(whole(row[0]), whole(row[1]), verdict, whole(row[3]) * (to - from));
      }
      const statement = scopes.statement(
        `SELECT o.cluster, o.kind, t.to_verdict, SUM(MIN(COALESCE(t.until, ?2), ?2) - MAX(t.noticed_at, ?1))
         FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
         WHERE t.noticed_at >= COALESCE((SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at <= ?1), ?1)
           AND t.noticed_at < ?2 AND (t.until IS NULL OR t.until > ?1) AND t.to_verdict <> ''
           AND o.cluster NOT IN (SELECT value FROM json_each(?3)) AND NOT ${lastsSince('?1')} AND ${within.sql}
         GROUP BY o.cluster, o.kind, t.to_verdict`,
      );
      for (const row of allRows(statement, from, to, JSON.stringify(blind), ...within.parameters)) {
        const verdict = places.get(text(row[2]));
        if (verdict !== undefined) visit(whole(row[0]), whole(row[1]), verdict, whole(row[3]));
      }
    },
    each(scope, { from, to }, visit, only = { sql: 'TRUE', parameters: [] }) {
      if (from >= to) return;
      const gapsOf = gaps.within(scope, { from, to });
      const within = scopes.objects(scope);
      const statement = scopes.statement(
        `SELECT o.id, o.cluster, o.kind, t.noticed_at, t.until, t.to_verdict
         FROM object o CROSS JOIN transition t INDEXED BY transition_open ON t.object = o.id
         WHERE ${within.sql} AND ${only.sql} AND t.until IS NULL AND t.noticed_at <= ?
         UNION ALL
         SELECT o.id, o.cluster, o.kind, t.noticed_at, t.until, t.to_verdict
         FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
         WHERE ${within.sql} AND ${only.sql} AND NOT ${lastsSince('?')} AND t.noticed_at >= ${sinceSpanAt} AND t.noticed_at < ?`,
      );
      const asked = [...within.parameters, ...only.parameters, from];
      for (const row of allRows(statement, ...asked, ...asked, from, from, to)) {
        const verdict = places.get(text(row[5]));
        if (verdict === undefined) continue;
        const end = Math.min(wholeOrNull(row[4]) ?? Infinity, to);
        const start = Math.max(whole(row[3]), from);
        if (start >= end) continue;
        const [object, cluster, kind] = [whole(row[0]), whole(row[1]), whole(row[2])];
        layOver(gapsOf(cluster, kind), start, end, (piece, seen, until) =>
          visit(object, cluster, kind, piece === 'seen' ? verdict : unobserved, seen, until),
        );
      }
    },
  };
  return reader;
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
