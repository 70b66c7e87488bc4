import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { NotedChange } from '#lib/domain/change.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { decodeChangeFact } from '../decode-change.ts';
import type { ChangeRange } from '../port.ts';
import { allRows, firstRow, text, whole, type Row } from './cells.ts';
import { noObject } from './change-writer.ts';
import { prepare } from './database.ts';
import { openKindReader } from './kind-reader.ts';

const columns = 'h.at, h.not_before, h.noticed_at, h.fact, c.name, o.kind, o.namespace, o.name, h.id';

/**
 * What lies in the span; and what is not dated, was noticed after it, and may have happened within it. The indexes are named
 * because the engine, which knows nothing of how few are not dated, would look at everything since.
 */
function spanning(where: string, dated: string, undated: string): string {
  function from(index: string): string {
    return `FROM change h INDEXED BY ${index} JOIN cluster c ON c.id = h.cluster LEFT JOIN object o ON o.id = h.object WHERE ${where}`;
  }
  return `SELECT ${columns} ${from(dated)} h.at BETWEEN ? AND ? AND h.noticed_at <= ?
    UNION ALL SELECT ${columns} ${from(undated)} h.at > ? AND h.not_before <= ? AND h.not_before < h.at AND h.noticed_at <= ?
    ORDER BY 1 DESC, 9 DESC LIMIT ?`;
}

/** Prepares the question over a database that is open for reading; `nameOf` and `textOf` give the words of ids. */
export function openChangeReader(
  database: DatabaseSync,
  nameOf: (id: number) => string,
  textOf: (id: number) => string,
): (range: ChangeRange) => readonly NotedChange[] {
  const kindOf = openKindReader(nameOf);
  const findCluster = prepare(database, 'SELECT id FROM cluster WHERE name = ?');
  const findObject = prepare(
    database,
    `SELECT o.id FROM object o JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace
     WHERE o.cluster = ? AND k.text = ? AND n.text = ? AND o.name = ?`,
  );
  const all = prepare(database, spanning('', 'change_at', 'change_undated'));
  const cluster = prepare(database, spanning('h.cluster = ? AND', 'change_cluster', 'change_undated'));
  const object = prepare(database, spanning('h.cluster = ? AND h.object = ? AND', 'change_once', 'change_once'));

  function refOf(row: Row): ObjectRef | null {
    if (row[5] === null) return null;
    return {
      cluster: text(row[4]),
      ...kindOf(whole(row[5])),
      namespace: nameOf(whole(row[6])),
      name: text(row[7]),
    };
  }

  function ask(
    statement: StatementSync,
    ids: readonly number[],
    { from, to, limit, noticedBy = Number.MAX_SAFE_INTEGER }: ChangeRange,
  ): readonly NotedChange[] {
    return allRows(statement, ...ids, from, to, noticedBy, ...ids, to, to, noticedBy, limit).flatMap((row) => {
      const fact = decodeChangeFact(textOf(whole(row[3])));
      if (fact === null) return [];
      const [at, notBefore, noticedAt] = [whole(row[0]), whole(row[1]), whole(row[2])];
      return [{ cluster: text(row[4]), ref: refOf(row), at, notBefore, noticedAt, fact }];
    });
  }

  return (range) => {
    const { ref } = range;
    const name = ref?.cluster ?? range.cluster;
    if (name === undefined) return ref === undefined ? ask(all, [], range) : [];
    const found = firstRow(findCluster, name);
    if (found === null) return [];
    const id = whole(found[0]);
    if (ref === undefined) return ask(cluster, [id], range);
    if (ref === null) return ask(object, [id, noObject], range);
    const row = firstRow(findObject, id, `${ref.group}/${ref.kind}`, ref.namespace, ref.name);
    return row === null ? [] : ask(object, [id, whole(row[0])], range);
  };
}
