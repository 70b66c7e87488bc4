import type { StatementSync } from 'node:sqlite';
import type { NotedChange } from '#lib/domain/record/change.ts';
import { decodeChangeFact } from '../../codec/decode-change.ts';
import type { ChangeRange, StoreReader } from '../../port/port.ts';
import { allRows, whole } from '../rows/cells.ts';
import { noObject } from '../writing/change-writer.ts';
import type { Scopes } from './record/record-scope.ts';

const columns = 'h.at, h.not_before, h.noticed_at, h.fact, h.cluster, h.object, h.id';

/**
 * SQL of what lies in the span; and of what is not dated, was noticed after it, and may have happened within it. The indexes are named
 * because the engine, which knows nothing of how few are not dated, would look at everything since.
 */
function spanning(where: string, dated: string, undated: string): string {
  function from(index: string): string {
    return `FROM change h INDEXED BY ${index} WHERE ${where}`;
  }
  return `SELECT ${columns} ${from(dated)} h.at BETWEEN ? AND ? AND h.noticed_at <= ?
    UNION ALL SELECT ${columns} ${from(undated)} h.at > ? AND h.not_before <= ? AND h.not_before < h.at AND h.noticed_at <= ?
    ORDER BY 1 DESC, 7 DESC LIMIT ?`;
}

/** Answers what was changed over an open database. */
export function openChangeReader(scopes: Scopes): StoreReader['changes'] {
  const all = scopes.statement(spanning('', 'change_at', 'change_undated'));
  const cluster = scopes.statement(spanning('h.cluster = ? AND', 'change_cluster', 'change_undated'));
  const object = scopes.statement(spanning('h.cluster = ? AND h.object = ? AND', 'change_once', 'change_once'));

  function ask(
    statement: StatementSync,
    ids: readonly number[],
    { from, to, limit, noticedBy = Number.MAX_SAFE_INTEGER }: ChangeRange,
  ): readonly NotedChange[] {
    return allRows(statement, ...ids, from, to, noticedBy, ...ids, to, to, noticedBy, limit).flatMap((row) => {
      const fact = decodeChangeFact(scopes.textOf(whole(row[3])));
      if (fact === null) return [];
      const [at, notBefore, noticedAt, of] = [whole(row[0]), whole(row[1]), whole(row[2]), whole(row[5])];
      const ref = of === noObject ? null : scopes.refOf(of);
      return [{ cluster: scopes.clusterName(whole(row[4])), ref, at, notBefore, noticedAt, fact }];
    });
  }

  return async (range) => {
    const { ref } = range;
    const name = ref?.cluster ?? range.cluster;
    if (name === undefined) return ref === undefined ? ask(all, [], range) : [];
    const [id] = scopes.ofCluster(name).clusters ?? [];
    if (id === undefined) return [];
    if (ref === undefined) return ask(cluster, [id], range);
    const of = ref === null ? noObject : scopes.objectOf(ref);
    return of === null ? [] : ask(object, [id, of], range);
  };
}
