import type { Transition } from '#lib/domain/record/current.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordCursor, RecordScope } from '../../../port/record-port.ts';
import { nearestBeside } from '../../../record/transitions.ts';
import { allRows, firstRow, firstWhole, oneRow, whole } from '../../rows/cells.ts';
import { transitionColumns, transitionOf } from '../../rows/record-rows.ts';
import { keyOf, pageOfRows, type PageKey } from './page-cursor.ts';
import { isOfClusters, type Condition, type ScopeIds, type Scopes } from './record-scope.ts';

/** Changes of verdict by when they were noticed, over an open database. Every answer is bounded by seeks, not by the record's length. */
export function openRecordTransitions(scopes: Scopes) {
  const wholeRow = scopes.statement(`SELECT ${transitionColumns}, t.object FROM transition t WHERE t.id = ?`);

  function read({ id }: PageKey): Transition {
    const row = oneRow(wholeRow, id);
    return transitionOf(scopes.refOf(whole(row[11])), row, scopes.textOf);
  }

  return {
    transitions(
      scope: ScopeIds,
      { from, to }: Period,
      { cursor, limit }: { readonly cursor: RecordCursor | null; readonly limit: number },
    ) {
      // By when it was noticed.
      const before = cursor === null ? { rank: to, id: 0 } : keyOf(cursor);
      const found = before === null ? [] : newest(scopes, scope, from, before, limit + 1);
      return pageOfRows(found, limit, (key) => key, read);
    },
    transitionCount(scope: ScopeIds, { from, to }: Period, most: number): number {
      const { sql, parameters } = rowsOf(scopes, scope);
      const counted = scopes.statement(
        `SELECT COUNT(*) FROM (SELECT 1 ${sql} AND t.noticed_at >= ? AND t.noticed_at < ? LIMIT ?)`,
      );
      let count = 0;
      for (const cluster of clustersOf(scopes, scope)) {
        if (count >= most) break;
        count += firstWhole(counted, cluster, ...parameters, from, to, most - count) ?? 0;
      }
      return count;
    },
    changesBeside(at: number, scope: RecordScope) {
      const ids = scopes.resolve(scope);
      if (ids === null) return { before: null, after: null };
      const clusters = clustersOf(scopes, ids);
      const judgedBefore = newest(scopes, ids, 0, { rank: at, id: 0 }, 1).map(({ rank }) => rank);
      return nearestBeside(at, [
        ...seenBeside(scopes, ids, clusters, at),
        ...judgedAfter(scopes, ids, clusters, at),
        ...judgedBefore,
      ]);
    },
  };
}

function clustersOf(scopes: Scopes, { clusters }: ScopeIds): readonly number[] {
  return clusters ?? scopes.ids('SELECT id FROM cluster ORDER BY id');
}

/** The objects `o` of a scope on one cluster, which is the first parameter. */
function onCluster(scopes: Scopes, scope: ScopeIds): Condition {
  // What of one cluster may be seen lies in an index beside each other: by their ids all that are seen would be looked at for each cluster.
  const places = scope.places && { ...scope.places, objects: () => null };
  const { sql, parameters } = scopes.objects({ ...scope, clusters: [0], places });
  return { sql, parameters: parameters.slice(1) };
}

/** The transitions `t` of a scope on one cluster, which is the first parameter. */
function rowsOf(scopes: Scopes, scope: ScopeIds): Condition {
  if (isOfClusters(scope)) return { sql: 'FROM transition t WHERE t.cluster = ?', parameters: [] };
  const { sql, parameters } = onCluster(scopes, scope);
  const from = 'object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id';
  return { sql: `FROM ${from} WHERE ${sql}`, parameters };
}

/** The newest of a scope, at most `limit`, up to and without a place. What a cluster has older than what was found already is not read. */
function newest(scopes: Scopes, scope: ScopeIds, from: number, before: PageKey, limit: number): readonly PageKey[] {
  const newestFirst = (all: readonly PageKey[]): PageKey[] => all.toSorted((a, b) => b.rank - a.rank || b.id - a.id);
  let found: PageKey[] = [];
  let oldest = from;
  const { sql, parameters } = rowsOf(scopes, scope);
  const statement = scopes.statement(
    `SELECT t.noticed_at, t.id ${sql} AND t.noticed_at >= ? AND t.noticed_at <= ?
       AND (t.noticed_at < ? OR t.id < ?) ORDER BY t.noticed_at DESC, t.id DESC LIMIT ?`,
  );
  const behind = [before.rank, before.rank, before.id, limit];
  for (const cluster of clustersOf(scopes, scope)) {
    const rows = allRows(statement, cluster, ...parameters, oldest, ...behind);
    found.push(...rows.map((row) => ({ rank: whole(row[0]), id: whole(row[1]) })));
    if (found.length < limit) continue;
    found = newestFirst(found).slice(0, limit);
    oldest = found.at(-1)?.rank ?? oldest;
  }
  return newestFirst(found);
}

/** When it changed last before and first after a moment whether each cluster, or the kind of a scope there, was being observed. */
function seenBeside(scopes: Scopes, { kind }: ScopeIds, clusters: readonly number[], at: number): readonly number[] {
  const coverage = `FROM coverage WHERE cluster = ?1 AND (?3 IS NULL OR kind IN (0, ?3))`;
  const beside = scopes.statement(
    `SELECT (SELECT at ${coverage} AND at < ?2 ORDER BY at DESC LIMIT 1),
       (SELECT at ${coverage} AND at > ?2 ORDER BY at LIMIT 1)`,
  );
  return clusters.flatMap((cluster) =>
    (firstRow(beside, cluster, at, kind) ?? []).filter((time) => typeof time === 'number'),
  );
}

/** When a verdict of a scope changed first on each cluster after a moment. */
function judgedAfter(scopes: Scopes, scope: ScopeIds, clusters: readonly number[], at: number): readonly number[] {
  if (isOfClusters(scope)) {
    const sql = 'SELECT noticed_at FROM transition WHERE cluster = ? AND noticed_at > ? ORDER BY noticed_at LIMIT 1';
    return clusters.flatMap((cluster) => scopes.ids(sql, [cluster, at]));
  }
  const { sql, parameters } = onCluster(scopes, scope);
  const next = '(SELECT MIN(t.noticed_at) FROM transition t WHERE t.object = o.id AND t.noticed_at > ?)';
  const first = scopes.statement(`SELECT MIN(${next}) FROM object o WHERE ${sql}`);
  return clusters.flatMap((cluster) => firstWhole(first, at, cluster, ...parameters) ?? []);
}
