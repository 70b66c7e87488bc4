import type { Period } from '#lib/domain/record/span.ts';
import { cutAtDays } from '#lib/domain/time/utc-day.ts';
import type { AwayVisitor, PieceReader, SumVisitor } from './record-pieces.ts';
import type { KeptSums } from './kept/kept-sums.ts';
import type { RecentReadings } from './recent-readings.ts';
import type { ScopeIds } from './record-scope.ts';

/** Stretches away, one behind the other: object, cluster, kind, from, to (ms). */
export type AwayPieces = readonly number[];

const width = 5;
/** More stretches than that are not kept, but read again. */
const mostKept = 1_000_000;
/** Of more days that no sums are told of pieces are not kept: behind midnight yesterday is one of them, until it is rolled up. */
const daysKept = 2;

/** Memory that pieces take. */
export function bytesOfPieces(pieces: AwayPieces | null): number {
  return 8 * (pieces?.length ?? 0);
}

/** Pieces of days that no sums are told of: several questions of one report need them, and they are read once for all. */
export type SharedPieces = ReturnType<typeof sharePieces>;

/** Memories of pieces. */
interface Remembering {
  /** Readings of late. */
  readonly recent: RecentReadings<AwayPieces | null>;
  /** Readings of days that are rolled up. */
  readonly kept: KeptSums<AwayPieces | null>;
  /** True of a period in such days. */
  readonly isRolled: (scope: ScopeIds, period: Period) => boolean;
  /** When the first span of a scope began (ms). */
  readonly firstSpan: (scope: ScopeIds) => number;
}

/** Remembers what was read. */
export function sharePieces(pieces: PieceReader, { recent, kept, isRolled, firstSpan }: Remembering) {
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

  function recalled(scope: ScopeIds, period: Period, read: (visit: AwayVisitor) => void): AwayPieces | null {
    const key = keyOf(scope, period);
    if (isRolled(scope, period)) return kept.recall(period, key, () => gathered(read));
    return recent.recall(key, () => gathered(read));
  }

  /** Of a period that lies in one day. */
  function awayWithin(scope: ScopeIds, period: Period, visit: AwayVisitor): void {
    const read = (to: AwayVisitor): void => pieces.away(scope, period, to);
    const known = recalled(scope, period, read);
    if (known === null) {
      read(visit);
      return;
    }
    const at = (position: number): number => known[position] ?? 0;
    for (let position = 0; position < known.length; position += width)
      visit(at(position), at(position + 1), at(position + 2), at(position + 3), at(position + 4));
  }

  return {
    each: pieces.each,
    awayOf: pieces.awayOf,
    recorded,
    /** Sums of all pieces of a scope in a period. */
    sums(scope: ScopeIds, period: Period, visit: SumVisitor): void {
      const read = (): AwayPieces | null => gathered((visitAway) => pieces.both(scope, period, visit, visitAway));
      // No other question has the same piece.
      if (scope.piece !== undefined) {
        pieces.both(scope, period, visit, () => undefined);
        return;
      }
      if (isRolled(scope, period)) kept.renew(period, keyOf(scope, period), read);
      else recent.renew(keyOf(scope, period), read);
    },
    /** Everything of a scope in a period in which objects were away. */
    away(scope: ScopeIds, whole: Period, visit: AwayVisitor): void {
      if (scope.piece !== undefined) {
        pieces.away(scope, whole, visit);
        return;
      }
      const period = recorded(scope, whole);
      const days = cutAtDays(period);
      if (days.length > daysKept) pieces.away(scope, period, visit);
      else for (const day of days) awayWithin(scope, day, visit);
    },
  };
}
