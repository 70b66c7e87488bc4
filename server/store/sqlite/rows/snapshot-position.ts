import type { Period } from '#lib/domain/record/span.ts';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { blockOf } from '../../codec/rollup-block.ts';
import { snapshotTimeOf, snapshotIndex, snapshotSpans, type SnapshotSpans } from '../../codec/snapshot-block.ts';
import { allRows, whole } from './cells.ts';
import type { RollupReader } from '../reading/record/record-rollups.ts';
import { ofClusters, type ScopeIds, type Scopes } from '../reading/record/record-scope.ts';

/** Where it is written down what stood at a mark. */
export interface SnapshotPosition {
  readonly block: number;
  readonly place: number;
}

/** Of a mark (ms) within a day that is rolled up. */
export function snapshotPosition(mark: number): SnapshotPosition {
  return { block: blockOf(mark), place: snapshotIndex(mark) };
}

/** Of the end of a day (ms) that is rolled up: it is written down with that day, in the block that it may end. */
export function endSnapshotPosition(end: number): SnapshotPosition {
  const { block, place } = snapshotPosition(end - 1);
  return { block, place: place + 1 };
}

/** Snapshot of the clusters of a scope; `at`: as for `SnapshotSpans.add`. */
export function readSnapshot(
  scopes: Scopes,
  scope: ScopeIds,
  { block, place }: SnapshotPosition,
  at?: number,
): SnapshotSpans {
  const spans = snapshotSpans();
  const { sql, parameters } = ofClusters(scope, 'cluster');
  const stored = scopes.statement(`SELECT spans FROM snapshot WHERE block = ? AND ${sql}`);
  for (const [bytes] of allRows(stored, block, ...parameters)) {
    if (!(bytes instanceof Uint8Array)) throw new Error('the store holds no spans where spans belong');
    spans.add(bytes, block, place, at);
  }
  return spans;
}

/** Is told an object that was in one verdict, by its place in `verdicts`. */
export type UnchangedVisitor = (object: number, cluster: number, kind: number, verdict: number) => void;

/**
 * Tells the objects of a scope that were in one verdict throughout a period, as far as that is written down, and gives all others;
 * null, and nothing is told, where the period is not of one day that is rolled up.
 */
export type UnchangedThrough = (scope: ScopeIds, period: Period, visit: UnchangedVisitor) => readonly number[] | null;

/** Snapshot of the clusters of a scope at the beginning of a day (ms); null where it is not written down of all of them. */
export type SnapshotAt = (scope: ScopeIds, day: number) => SnapshotSpans | null;

/** Reads what stood at the beginning of the day after one that is rolled up, over an open database. */
export function openSnapshotAt(scopes: Scopes, rollups: RollupReader): SnapshotAt {
  return (scope, day) => {
    if (dayOf(day) !== day || rollups.partsOf(scope, { from: day - dayLength, to: day }).plain.length > 0) return null;
    return readSnapshot(scopes, scope, endSnapshotPosition(day));
  };
}

/** Reads what stood throughout a period of a day that is rolled up, over an open database. */
export function openUnchangedThrough(scopes: Scopes, rollups: RollupReader): UnchangedThrough {
  return (scope, { from, to }, visit) => {
    const day = dayOf(from);
    if (to > day + dayLength) return null;
    if (rollups.partsOf(scope, { from: day, to: day + dayLength }).plain.length > 0) return null;
    const spans = readSnapshot(scopes, scope, snapshotPosition(snapshotTimeOf(from)));
    const { sql, parameters } = scopes.objects(scope);
    const others: number[] = [];
    const objects = scopes.statement(`SELECT o.id, o.cluster, o.kind FROM object o WHERE ${sql}`);
    for (const row of allRows(objects, ...parameters)) {
      const object = whole(row[0]);
      const span = spans.of(object);
      const throughout = span !== null && span.until >= to;
      if (throughout) visit(object, whole(row[1]), whole(row[2]), span.verdict);
      else others.push(object);
    }
    return others;
  };
}
