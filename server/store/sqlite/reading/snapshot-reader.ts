import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { snapshotInterval, snapshotTimeOf, type SnapshotSpan } from '../../codec/snapshot-block.ts';
import { allRows, whole, wholeOrNull } from '../rows/cells.ts';
import { isOfClusters, ofClusters, type ScopeIds, type Scopes } from './record/record-scope.ts';
import { readSnapshot, endSnapshotPosition, snapshotPosition } from '../rows/snapshot-position.ts';
import { snapshotColumns, snapshotSpanOf } from '../rows/snapshot-row.ts';

/** Is told what stood of one object; `span` is good until the next call. */
export type SnapshotVisitor = (span: SnapshotSpan) => void;

/** Clusters of which the same mark is written down. */
interface Marked {
  /** ms; null for none: everything is sought. */
  readonly mark: number | null;
  /** Whether what stood then may have ended since, without what is written down knowing. */
  readonly open: boolean;
  readonly clusters: number[];
}

/**
 * What stood at a moment, over an open database: from what is written down of the mark before it and what was noticed since. Of
 * clusters whose days are not rolled up, and of what has a name, it is sought object by object.
 */
export function openSnapshotReader(scopes: Scopes): (at: number, scope: ScopeIds, visit: SnapshotVisitor) => void {
  /** Of each object the last row that was noticed by then. Of two rows of one moment one is empty. */
  function seek(at: number, scope: ScopeIds, visit: SnapshotVisitor): void {
    const { sql, parameters } = scopes.objects(scope);
    const rows = allRows(
      scopes.statement(
        `SELECT ${snapshotColumns} FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
         WHERE t.noticed_at = (SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at <= ?)
           AND t.to_verdict <> '' AND (t.until IS NULL OR t.until > ?) AND ${sql}`,
      ),
      at,
      at,
      ...parameters,
    );
    for (const row of rows) visit(snapshotSpanOf(row));
  }

  /** The clusters of a scope by the last mark that is written down of them and is no later than a moment. */
  function markedBy(at: number, scope: ScopeIds): readonly Marked[] {
    const { sql, parameters } = ofClusters(scope, 'c.id');
    const rows = allRows(
      scopes.statement(
        `SELECT c.id, r.from_day, r.to_day FROM cluster c LEFT JOIN rolled r ON r.cluster = c.id WHERE ${sql}`,
      ),
      ...parameters,
    );
    const alike = new Map<string, Marked>();
    for (const row of rows) {
      const [from, to] = [wholeOrNull(row[1]) ?? 0, wholeOrNull(row[2]) ?? 0];
      const last = Math.min(snapshotTimeOf(at), to);
      // Where no day is written down, how the one before ended is not either.
      const mark = to > from && last >= from ? last : null;
      const open = mark === to;
      const group = alike.get(`${mark} ${open}`) ?? { mark, open, clusters: [] };
      group.clusters.push(whole(row[0]));
      alike.set(`${mark} ${open}`, group);
    }
    return [...alike.values()];
  }

  /**
   * Rows of a verdict ('': removals) that were noticed from a mark to a moment; of spans those that it lies in and
   * that end by `known` (ms), where what lasted longer is known.
   */
  function noticedSince(
    mark: number,
    at: number,
    scope: ScopeIds,
    word: string,
    known: number | null,
  ): readonly SnapshotSpan[] {
    const { sql, parameters } = ofClusters(scope, 't.cluster');
    // Verdict by verdict the index tells which ones last; on one cluster there are few.
    const index = scope.clusters?.length === 1 ? 'transition_noticed' : 'transition_verdict';
    const ends = known === null ? '(t.until IS NULL OR t.until > ?3)' : 't.until > ?3 AND t.until <= ?4';
    const lasting = word === '' ? 'TRUE' : ends;
    const statement = scopes.statement(
      `SELECT ${snapshotColumns} FROM transition t INDEXED BY ${index}
       WHERE t.to_verdict = ?1 AND t.noticed_at >= ?2 AND t.noticed_at <= ?3 AND ${lasting} AND ${sql}`,
    );
    return allRows(statement, word, mark, at, ...(known === null ? [] : [known]), ...parameters).map(snapshotSpanOf);
  }

  function recall(mark: number, open: boolean, at: number, scope: ScopeIds, visit: SnapshotVisitor): void {
    const spans = readSnapshot(
      scopes,
      scope,
      open ? endSnapshotPosition(mark) : snapshotPosition(mark),
      open ? undefined : at,
    );
    if (open) for (const { object } of noticedSince(mark, at, scope, '', null)) spans.remove(object);
    const next = open ? null : mark + snapshotInterval;
    for (const verdict of verdicts) for (const span of noticedSince(mark, at, scope, verdict, next)) spans.put(span);
    const tell = (span: SnapshotSpan | null): void => {
      if (span !== null && span.until > at) visit(span);
    };
    if (isOfClusters(scope)) {
      spans.each(tell);
      return;
    }
    const { sql, parameters } = scopes.objects(scope);
    for (const object of scopes.ids(`SELECT o.id FROM object o WHERE ${sql}`, parameters)) tell(spans.of(object));
  }

  return (at, scope, visit) => {
    if (scope.name !== null) {
      seek(at, scope, visit);
      return;
    }
    const groups = markedBy(at, scope);
    for (const { mark, open, clusters } of groups) {
      const of = { ...scope, clusters: groups.length === 1 ? scope.clusters : clusters };
      if (mark === null) seek(at, of, visit);
      else recall(mark, open, at, of, visit);
    }
  };
}
