import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { snapshotInterval, type SnapshotSpan } from '../../codec/snapshot-block.ts';
import { splitAtMarks, type MarkedClusters } from '../../record/rolled-days.ts';
import { allRows } from '../rows/cells.ts';
import type { RollupReader } from './record/record-rollups.ts';
import { isOfClusters, ofClusters, type ScopeIds, type Scopes } from './record/record-scope.ts';
import { endSnapshotPosition, readSnapshot, snapshotColumns, snapshotPosition, snapshotSpanOf } from './snapshots.ts';

/** Visits what stood of one object; `span` is good until the next call. */
export type SnapshotVisitor = (span: SnapshotSpan) => void;

/** Visits what stood of a scope at a moment (ms). */
export type SnapshotReader = (at: number, scope: ScopeIds, visit: SnapshotVisitor) => void;

/**
 * Reads what stood at a moment, over an open database: from what is written down of the mark before it and what was noticed since. Of
 * clusters whose days are not rolled up, and of what has a name, it is sought object by object.
 */
export function openSnapshotReader(scopes: Scopes, rollups: RollupReader): SnapshotReader {
  return (at, scope, visit) => {
    if (scope.name !== null) {
      seek(scopes, at, scope, visit);
      return;
    }
    const groups = splitAtMarks(rollups.ranges(scope), at);
    for (const group of groups) {
      const of = { ...scope, clusters: groups.length === 1 ? scope.clusters : group.clusters };
      if (group.mark === null) seek(scopes, at, of, visit);
      else recall(scopes, { ...group, mark: group.mark }, at, of, visit);
    }
  };
}

/** Of each object the last row that was noticed by then. Of two rows of one moment one is empty. */
function seek(scopes: Scopes, at: number, scope: ScopeIds, visit: SnapshotVisitor): void {
  const { sql, parameters } = scopes.objects(scope);
  const statement = scopes.statement(
    `SELECT ${snapshotColumns} FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
     WHERE t.noticed_at = (SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at <= ?)
       AND t.to_verdict <> '' AND (t.until IS NULL OR t.until > ?) AND ${sql}`,
  );
  for (const row of allRows(statement, at, at, ...parameters)) visit(snapshotSpanOf(row));
}

function recall(
  scopes: Scopes,
  { mark, open }: Pick<MarkedClusters, 'open'> & { readonly mark: number },
  at: number,
  scope: ScopeIds,
  visit: SnapshotVisitor,
): void {
  const noticed = (verdict: string, known: number | null): readonly SnapshotSpan[] =>
    noticedSince(scopes, { mark, at, known }, scope, verdict);
  const position = open ? endSnapshotPosition(mark) : snapshotPosition(mark);
  const spans = readSnapshot(scopes, scope, position, open ? undefined : at);
  if (open) for (const { object } of noticed('', null)) spans.remove(object);
  const next = open ? null : mark + snapshotInterval;
  for (const verdict of verdicts) for (const span of noticed(verdict, next)) spans.put(span);
  const visitOpen = (span: SnapshotSpan | null): void => {
    if (span !== null && span.until > at) visit(span);
  };
  if (isOfClusters(scope)) {
    spans.each(visitOpen);
    return;
  }
  const { sql, parameters } = scopes.objects(scope);
  for (const object of scopes.ids(`SELECT o.id FROM object o WHERE ${sql}`, parameters)) visitOpen(spans.of(object));
}

/**
 * Rows of a verdict ('': removals) that were noticed from a mark to a moment; of spans those that it lies in and
 * that end by `known` (ms), where what lasted longer is known.
 */
function noticedSince(
  scopes: Scopes,
  { mark, at, known }: { readonly mark: number; readonly at: number; readonly known: number | null },
  scope: ScopeIds,
  verdict: string,
): readonly SnapshotSpan[] {
  const { sql, parameters } = ofClusters(scope, 't.cluster');
  // Verdict by verdict the index tells which ones last; on one cluster there are few.
  const index = scope.clusters?.length === 1 ? 'transition_noticed' : 'transition_verdict';
  const ends = known === null ? '(t.until IS NULL OR t.until > ?3)' : 't.until > ?3 AND t.until <= ?4';
  const lasting = verdict === '' ? 'TRUE' : ends;
  const statement = scopes.statement(
    `SELECT ${snapshotColumns} FROM transition t INDEXED BY ${index}
     WHERE t.to_verdict = ?1 AND t.noticed_at >= ?2 AND t.noticed_at <= ?3 AND ${lasting} AND ${sql}`,
  );
  return allRows(statement, verdict, mark, at, ...(known === null ? [] : [known]), ...parameters).map(snapshotSpanOf);
}
