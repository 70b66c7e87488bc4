import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import type { AwayVisitor, PieceReader, SumVisitor } from './record-pieces.ts';
import type { RecentReadings } from './recent-readings.ts';
import type { ScopeIds } from './record-scope.ts';

/** Stretches away, one behind the other: object, cluster, kind, from, to (ms). */
export type AwayPieces = readonly number[];

const width = 5;
/** More stretches than that are not kept, but read again. */
const mostKept = 1_000_000;

/** Pieces of days that are not rolled up: several questions of one report need them, and they are read once for all. */
export type SharedPieces = ReturnType<typeof sharePieces>;

/** Remembers what was read of late. `firstSpan` tells when the first span of a scope began (ms). */
export function sharePieces(
  pieces: PieceReader,
  recent: RecentReadings<AwayPieces | null>,
  firstSpan: (scope: ScopeIds) => number,
) {
  const keyOf = (scope: ScopeIds, period: Period): string => JSON.stringify([scope, period]);

  /** Part of a period that anything can be recorded in; empty, with both ends the same, where that is none of it. */
  function recorded(scope: ScopeIds, { from, to }: Period): Period {
    return { from: Math.min(to, Math.max(from, firstSpan(scope))), to };
  }

  /** Stretches that `read` visits; null where they are too many to be kept. */
  function gathered(read: (visit: AwayVisitor) => void): AwayPieces | null {
    const found: number[] = [];
    read((object, cluster, kind, from, to) => {
      if (found.length <= mostKept * width) found.push(object, cluster, kind, from, to);
    });
    return found.length > mostKept * width ? null : found;
  }

  return {
    each: pieces.each,
    recorded,
    /** Sums of all pieces of a scope in a period. */
    sums(scope: ScopeIds, period: Period, visit: SumVisitor): void {
      recent.renew(keyOf(scope, period), () => gathered((visitAway) => pieces.both(scope, period, visit, visitAway)));
    },
    /** Everything of a scope in a period in which objects were away. */
    away(scope: ScopeIds, whole: Period, visit: AwayVisitor): void {
      const period = recorded(scope, whole);
      const read = (to: AwayVisitor): void => pieces.away(scope, period, to);
      const isShort = period.to - period.from <= day;
      const known = isShort ? recent.recall(keyOf(scope, period), () => gathered(read)) : null;
      if (known === null) {
        read(visit);
        return;
      }
      const at = (position: number): number => known[position] ?? 0;
      for (let position = 0; position < known.length; position += width)
        visit(at(position), at(position + 1), at(position + 2), at(position + 3), at(position + 4));
    },
  };
}
