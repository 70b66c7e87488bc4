import { day as dayLength } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { blockOf } from '../../codec/rollup-block.ts';
import {
  snapshotTimeOf,
  snapshotIndex,
  snapshotSpans,
  type SnapshotSpan,
  type SnapshotSpans,
} from '../../codec/snapshot-block.ts';
import { verdictOf } from '../../codec/traits.ts';
import { allRows, text, whole, wholeOrNull, type Row } from '../rows/cells.ts';
import { keptSums } from './record/kept/kept-sums.ts';
import type { StoodSpans } from './record/piece-visitors.ts';
import { verdictIndex, type Stood } from './record/record-pieces.ts';
import type { RollupReader } from './record/record-rollups.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record/record-scope.ts';

/** The columns of a span that stands, in the order that `snapshotSpanOf` reads; the table is called `t`. */
export const snapshotColumns =
  't.object, t.id, t.noticed_at, t.until, t.at, t.to_verdict, t.traits, t.message, t.commit_id, t.attempted, t.root_cause';

/** The span in a row of `snapshotColumns`. */
export function snapshotSpanOf(row: Row): SnapshotSpan {
  return {
    object: whole(row[0]),
    id: whole(row[1]),
    noticedAt: whole(row[2]),
    until: wholeOrNull(row[3]) ?? Infinity,
    at: whole(row[4]),
    verdict: verdictIndex(verdictOf(text(row[5])) ?? 'unobserved'),
    traits: wholeOrNull(row[6]),
    message: whole(row[7]),
    commit: wholeOrNull(row[8]),
    attempted: wholeOrNull(row[9]),
    rootCause: wholeOrNull(row[10]),
  };
}

/** Where it is written down what stood at a mark. */
interface SnapshotPosition {
  readonly block: number;
  readonly position: number;
}

/** Of a mark (ms) within a day that is rolled up. */
export function snapshotPosition(mark: number): SnapshotPosition {
  return { block: blockOf(mark), position: snapshotIndex(mark) };
}

/** Of the end of a day (ms) that is rolled up: it is written down with that day, in the block that it may end. */
export function endSnapshotPosition(end: number): SnapshotPosition {
  const { block, position } = snapshotPosition(end - 1);
  return { block, position: position + 1 };
}

/** Snapshot of the clusters of a scope; `at`: as for `SnapshotSpans.add`. */
export function readSnapshot(
  scopes: Scopes,
  scope: ScopeIds,
  { block, position }: SnapshotPosition,
  at?: number,
): SnapshotSpans {
  const spans = snapshotSpans();
  const { sql, parameters } = ofClusters(scope, 'cluster');
  const stored = scopes.statement(`SELECT spans FROM snapshot WHERE block = ? AND ${sql}`);
  for (const [bytes] of allRows(stored, block, ...parameters)) {
    if (!(bytes instanceof Uint8Array)) throw new Error('the store holds no spans where spans belong');
    spans.add(bytes, block, position, at);
  }
  return spans;
}

/** Memory that is used at most for what stood as a day began: 60,000 spans take 1.3 MB. Snapshots are written with the days they end. */
const keptBytes = 16 * 2 ** 20;

function bytesOf({ objects, clusters, kinds, verdicts, until, others }: StoodSpans): number {
  return [objects, clusters, kinds, verdicts, until, others].reduce((bytes, { byteLength }) => bytes + byteLength, 0);
}

/** The spans of a snapshot that are of a scope. An object never changes its cluster or kind, and one that comes later has none here. */
function stoodSpans(scopes: Scopes, scope: ScopeIds, snapshot: SnapshotSpans): StoodSpans {
  const { sql, parameters } = scopes.objects(scope);
  const rows = allRows(scopes.statement(`SELECT o.id, o.cluster, o.kind FROM object o WHERE ${sql}`), ...parameters);
  const standing: Row[] = [];
  const others: number[] = [];
  for (const row of rows) {
    const object = whole(row[0]);
    if (snapshot.of(object) === null) others.push(object);
    else standing.push(row);
  }
  const column = (of: (row: Row) => number): Int32Array => Int32Array.from(standing, of);
  const spanOf = (row: Row): SnapshotSpan | null => snapshot.of(whole(row[0]));
  return {
    objects: column((row) => whole(row[0])),
    clusters: column((row) => whole(row[1])),
    kinds: column((row) => whole(row[2])),
    verdicts: Uint8Array.from(standing, (row) => spanOf(row)?.verdict ?? 0),
    until: Float64Array.from(standing, (row) => spanOf(row)?.until ?? 0),
    others: Int32Array.from(others),
    knownUpTo: rows.reduce((last, [object]) => Math.max(last, whole(object)), 0),
  };
}

/** Reads what is written down of what stood, over an open database. */
export function openStood(scopes: Scopes, rollups: RollupReader): Stood {
  const kept = keptSums<StoodSpans>(scopes, { of: 'days', bytes: keptBytes, bytesOf });
  const isRolled = (scope: ScopeIds, day: number): boolean =>
    rollups.isRolled(scope, { from: day, to: day + dayLength });
  return {
    at(scope, day) {
      if (dayOf(day) !== day || !isRolled(scope, day - dayLength)) return null;
      const before = { from: day - dayLength, to: day };
      return kept.recall(before, JSON.stringify(scope), () =>
        stoodSpans(scopes, scope, readSnapshot(scopes, scope, endSnapshotPosition(day))),
      );
    },
    through(scope, { from, to }, visit) {
      const day = dayOf(from);
      if (to > day + dayLength || !isRolled(scope, day)) return null;
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
    },
  };
}
