import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { layGapsOver } from '#lib/domain/record/segments.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { text, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { isWide, onlyAway, openPieceRows, type PieceRows } from './piece-rows.ts';
import type { ObjectIds, PieceVisitor, StoodSpans } from './piece-visitors.ts';
import { visitSince } from './pieces-since.ts';
import type { GapReader, GapsOf } from './record-gaps.ts';
import { among, type Condition, type ScopeIds, type Scopes } from './record-scope.ts';

/** Verdicts as they stand in `verdicts`, by their words. */
const positions: ReadonlyMap<string, number> = new Map(verdicts.map((verdict, position) => [verdict, position]));

/** Where a verdict stands in `verdicts`. */
export function verdictIndex(verdict: Verdict): number {
  return positions.get(verdict) ?? 0;
}

const unobserved = verdictIndex('unobserved');

/** Visits how long (ms) objects of a kind on a cluster were in a verdict, by its position in `verdicts`. */
export type SumVisitor = (cluster: number, kind: number, verdict: number, time: number) => void;

/** Visits a stretch [from, to) (ms) in which an object was seen to be away. */
export type AwayVisitor = (object: number, cluster: number, kind: number, from: number, to: number) => void;

/** Visits an object that was in one verdict, by its position in `verdicts`. */
export type UnchangedVisitor = (object: number, cluster: number, kind: number, verdict: number) => void;

/** Snapshots of what stood, as far as they are written down. */
export interface Stood {
  /**
   * Visits the objects of a scope that were in one verdict throughout a period, as far as that is written down, and gives all others;
   * null, and nothing is visited, where the period is not of one day that is rolled up.
   */
  through(scope: ScopeIds, period: Period, visit: UnchangedVisitor): readonly number[] | null;
  /** Spans of a scope that stood at the beginning of a day (ms); null where that is not written down of all of its clusters. */
  at(scope: ScopeIds, day: number): StoodSpans | null;
}

/** Reads spans of many objects with the gaps laid over. */
export type PieceReader = ReturnType<typeof openPieces>;

/** By the positions of `verdicts`. */
const away = verdicts.map(isAway);
/** One in which an object is away, where it does not matter in which. */
const anyAway = away.indexOf(true);
/** Spans of more objects are not sought one by one. */
const mostSought = 20_000;
const anything: Condition = { sql: 'TRUE', parameters: [] };

const nothingStood: Stood = { through: () => null, at: () => null };

/**
 * Spans as pieces, over an open database: `segmentsOf` for each object, without a value for each piece: a day of a large fleet has a
 * hundred thousand. Where it is written down what stood through a day, or as it began, only what else there is in it is read.
 */
export function openPieces(scopes: Scopes, gaps: GapReader, stood: Stood = nothingStood) {
  const rows = openPieceRows(scopes);

  /** Everything of a scope in a period; only what a condition on objects `o` and spans `t` says. */
  function each(scope: ScopeIds, period: Period, visit: PieceVisitor, only: Condition = anything): void {
    if (period.from >= period.to) return;
    const seen = withGaps(gaps.within(scope, period), visit);
    visitRows(rows.lasting(scope, period, only), period, seen);
    visitRows(rows.changing(scope, period, only), period, seen);
  }

  return {
    each,
    /** Everything of a scope in a period in which objects were away. */
    away(scope: ScopeIds, period: Period, visit: AwayVisitor): void {
      each(scope, period, onlyVerdictsAway(visit), onlyAway);
    },
    /** Everything in a period in which some objects of a scope were away; known by their ids. */
    awayOf(scope: ScopeIds, period: Period, objects: ReadonlyMap<number, ObjectIds>, visit: AwayVisitor): void {
      const seen = onlyVerdictsAway(visit);
      if (!isWide(scope) || objects.size > mostSought) {
        const wanted: PieceVisitor = (object, ...piece) => {
          if (objects.has(object)) seen(object, ...piece);
        };
        each(scope, period, wanted, onlyAway);
        return;
      }
      const { from, to } = period;
      const laid = withGaps(gaps.within(scope, period), seen);
      for (const row of rows.away(period, among([...objects.keys()]))) {
        const object = objects.get(whole(row[0]));
        const [start, end] = [Math.max(whole(row[1]), from), Math.min(wholeOrNull(row[2]) ?? Infinity, to)];
        if (object !== undefined && start < end) laid(whole(row[0]), object.cluster, object.kind, anyAway, start, end);
      }
    },
    /** Sums of all pieces of a scope in a period, and those in which objects were away, in one reading. */
    both(scope: ScopeIds, period: Period, visit: SumVisitor, visitAway: AwayVisitor): void {
      const summed: PieceVisitor = (object, cluster, kind, verdict, start, end) => {
        visit(cluster, kind, verdict, end - start);
        if (away[verdict] === true) visitAway(object, cluster, kind, start, end);
      };
      const seen = withGaps(gaps.within(scope, period), summed);
      if (isWide(scope) && visitUnchanged(rows, stood, scope, period, seen)) return;
      const begun = isWide(scope) ? stood.at(scope, period.from) : null;
      if (begun === null) each(scope, period, summed);
      else visitSince(rows, begun, scope, period, seen);
    },
  };
}

/** Visits pieces in which objects were away. */
function onlyVerdictsAway(visit: AwayVisitor): PieceVisitor {
  return (object, cluster, kind, verdict, from, to) => {
    if (away[verdict] === true) visit(object, cluster, kind, from, to);
  };
}

/** Visits what of the spans in `PieceRows` lies in a period. */
function visitRows(rows: readonly Row[], { from, to }: Period, visit: PieceVisitor): void {
  for (const row of rows) {
    const verdict = positions.get(text(row[5]));
    if (verdict === undefined) continue;
    const end = Math.min(wholeOrNull(row[4]) ?? Infinity, to);
    const start = Math.max(whole(row[3]), from);
    if (start < end) visit(whole(row[0]), whole(row[1]), whole(row[2]), verdict, start, end);
  }
}

/** Visits all pieces of a period through which most stood, as it is written down; false where it is not. */
function visitUnchanged(rows: PieceRows, stood: Stood, scope: ScopeIds, period: Period, visit: PieceVisitor): boolean {
  const others = stood.through(scope, period, (object, cluster, kind, verdict) =>
    visit(object, cluster, kind, verdict, period.from, period.to),
  );
  if (others === null) return false;
  visitRows(rows.lasting(scope, period, among(others), false), period, visit);
  visitRows(rows.changing(scope, period, among(others), false), period, visit);
  return true;
}

/** The same with the gaps laid over. */
function withGaps(gapsOf: GapsOf, visit: PieceVisitor): PieceVisitor {
  return (object, cluster, kind, verdict, from, to) => {
    const over = gapsOf(cluster, kind);
    if (over.length === 0) {
      visit(object, cluster, kind, verdict, from, to);
      return;
    }
    const span = { from, to };
    layGapsOver(span, over, span, (gap, start, end) =>
      visit(object, cluster, kind, gap === null ? verdict : unobserved, start, end),
    );
  };
}
