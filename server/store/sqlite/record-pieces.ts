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

/** Reads spans of many objects with the gaps laid over. */
export interface PieceReader {
  /** Everything of a scope in a period; of some of its objects only where `objects` (a condition on `o`) says so. */
  each(scope: ScopeIds, period: Period, visit: PieceVisitor, objects?: Condition): void;
}

/**
 * Spans as pieces, over an open database: object by object, a seek for each and then what it has in the period. It is the same as
 * `segmentsOf` for each object, without a value for each piece: a day of a large fleet has a hundred thousand.
 */
export function openPieces(scopes: Scopes, gaps: GapReader): PieceReader {
  return {
    each(scope, { from, to }, visit, objects = { sql: 'TRUE', parameters: [] }) {
      if (from >= to) return;
      const gapsOf = gaps.upTo(scope, to);
      const within = scopes.objects(scope);
      const statement = scopes.statement(
        `SELECT o.id, o.cluster, o.kind, t.noticed_at, t.until, t.to_verdict
         FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
         WHERE ${within.sql} AND ${objects.sql} AND t.noticed_at >= ${sinceSpanAt} AND t.noticed_at < ?`,
      );
      for (const row of allRows(statement, ...within.parameters, ...objects.parameters, from, from, to)) {
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
