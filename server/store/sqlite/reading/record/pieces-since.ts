import type { Period } from '#lib/domain/record/span.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { whole, wholeOrNull } from '../../rows/cells.ts';
import type { PieceRows } from './piece-rows.ts';
import type { ObjectIds, PieceVisitor, StoodSpans } from './piece-visitors.ts';
import type { ScopeIds } from './record-scope.ts';

/** Ids of the objects of which a span was noticed that had none standing before. */
interface Newcomers {
  readonly spans: { readonly object: number; readonly verdict: number; readonly from: number; readonly to: number }[];
  readonly mayBe: (object: number) => boolean;
}

/** Visits all pieces of a period, from what stood as it began and what was noticed in it. */
export function visitSince(
  rows: PieceRows,
  begun: StoodSpans,
  scope: ScopeIds,
  period: Period,
  visit: PieceVisitor,
): void {
  const { from, to } = period;
  const { objects, clusters, kinds, verdicts: of, until } = begun;
  const indexOf = indexesOf(objects);
  const newcomers = newcomersOf(begun);
  const ends = until.map((end) => Math.min(end, to));
  for (const [verdict, word] of [...verdicts, '' as const].entries())
    for (const row of rows.noticed(scope, period, word)) {
      const [object, at] = [whole(row[0]), whole(row[1])];
      const end = Math.min(wholeOrNull(row[2]) ?? Infinity, to);
      const index = indexOf(object);
      if (index !== null) ends[index] = Math.min(ends[index] ?? at, at);
      if (word === '' || at >= end) continue;
      if (index !== null) visit(object, clusters[index] ?? 0, kinds[index] ?? 0, verdict, at, end);
      else if (newcomers.mayBe(object)) newcomers.spans.push({ object, verdict, from: at, to: end });
    }
  for (const [index, object] of objects.entries()) {
    const end = ends[index] ?? from;
    if (from < end) visit(object, clusters[index] ?? 0, kinds[index] ?? 0, of[index] ?? 0, from, end);
  }
  visitNewcomers(rows, scope, newcomers, visit);
}

function visitNewcomers(rows: PieceRows, scope: ScopeIds, { spans }: Newcomers, visit: PieceVisitor): void {
  if (spans.length === 0) return;
  const wanted = [...new Set(spans.map(({ object }) => object))];
  const known = new Map<number, ObjectIds>(
    rows.objects(scope, wanted).map((row) => [whole(row[0]), { cluster: whole(row[1]), kind: whole(row[2]) }]),
  );
  for (const { object, verdict, from, to } of spans) {
    const ids = known.get(object);
    if (ids !== undefined) visit(object, ids.cluster, ids.kind, verdict, from, to);
  }
}

/** Whoever is neither among those that stood nor among the others of the scope is of another scope, or came later. */
function newcomersOf({ others, knownUpTo }: StoodSpans): Newcomers {
  const known = new Set(others);
  return { spans: [], mayBe: (object) => object > knownUpTo || known.has(object) };
}

/** Finds where an object stands in a list of ids: read three times as quickly as a map. */
function indexesOf(objects: Int32Array): (object: number) => number | null {
  const indexes = new Int32Array(objects.reduce((most, object) => Math.max(most, object), 0) + 1).fill(-1);
  for (const [index, object] of objects.entries()) indexes[object] = index;
  return (object) => {
    const index = indexes[object] ?? -1;
    return index === -1 ? null : index;
  };
}
