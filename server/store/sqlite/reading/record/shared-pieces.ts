import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import type { AwayVisitor, PieceReader, SumVisitor } from './record-pieces.ts';
import type { RecentReadings } from './recent-readings.ts';
import type { ScopeIds } from './record-scope.ts';

/** Stretches away, column by column: object, cluster, kind, from, to (ms). */
export type AwayPieces = Float64Array;

const width = 5;
/** More stretches than that are not kept, but read again. */
const mostKept = 1_000_000;

/** Gathers stretches until there are too many of them. */
function gathering(): { readonly add: AwayVisitor; readonly gathered: () => AwayPieces | null } {
  let pieces: AwayPieces = new Float64Array(width * 1_024);
  let count = 0;
  return {
    add(object, cluster, kind, from, to) {
      if (count >= mostKept) return;
      const place = count++ * width;
      if (place === pieces.length) {
        const larger = new Float64Array(place * 2);
        larger.set(pieces);
        pieces = larger;
      }
      pieces[place] = object;
      pieces[place + 1] = cluster;
      pieces[place + 2] = kind;
      pieces[place + 3] = from;
      pieces[place + 4] = to;
    },
    gathered: () => (count < mostKept ? pieces.slice(0, count * width) : null),
  };
}

/** Pieces of days that are not rolled up: several questions of one report need them, and they are read once for all. */
export interface SharedPieces extends Pick<PieceReader, 'each' | 'away'> {
  /** Sums of all pieces of a scope in a period. */
  sums(scope: ScopeIds, period: Period, visit: SumVisitor): void;
}

/** Remembers what was read of late. */
export function sharePieces(pieces: PieceReader, recent: RecentReadings<AwayPieces | null>): SharedPieces {
  const keyOf = (scope: ScopeIds, period: Period): string => JSON.stringify([scope, period]);

  function kept(scope: ScopeIds, period: Period): AwayPieces | null {
    if (period.to - period.from > day) return null;
    return recent.recall(keyOf(scope, period), () => {
      const { add, gathered } = gathering();
      pieces.away(scope, period, add);
      return gathered();
    });
  }

  return {
    each: pieces.each,
    sums(scope, period, visit) {
      recent.renew(keyOf(scope, period), () => {
        const { add, gathered } = gathering();
        pieces.both(scope, period, visit, add);
        return gathered();
      });
    },
    away(scope, period, visit) {
      const known = kept(scope, period);
      if (known === null) {
        pieces.away(scope, period, visit);
        return;
      }
      for (let place = 0; place < known.length; place += width)
        visit(
          known[place] ?? 0,
          known[place + 1] ?? 0,
          known[place + 2] ?? 0,
          known[place + 3] ?? 0,
          known[place + 4] ?? 0,
        );
    },
  };
}
