import type { DatabaseSync } from 'node:sqlite';
import type { Transition } from '#lib/domain/record/current.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import type { RecordCursor, RecordPage, RecordReader, RecordScope } from '../../../port/record-port.ts';
import { allRows, firstRow, text, whole } from '../../rows/cells.ts';
import { prepare } from '../../database.ts';
import { openKindReader } from '../../rows/kind-reader.ts';
import { openTextReader } from '../../rows/text-reader.ts';
import { transitionColumns, transitionOf } from '../../rows/transition-row.ts';

/** One transition by its place in the order of time. */
interface Placed {
  readonly noticedAt: number;
  readonly id: number;
}

/** The parts of a scope that are ids; null for a part that the store has no word for: nothing is in it. */
interface Resolved {
  readonly clusters: readonly number[];
  readonly kind: number | null;
  readonly namespace: number | null;
  readonly name: string | null;
}

/** Changes of verdict by when they were noticed, over an open database. Every answer is bounded by seeks, not by the record's length. */
export function openRecordTransitions(
  database: DatabaseSync,
): Pick<RecordReader, 'transitions' | 'transitionCount' | 'changesBeside'> {
  const nameOf = openTextReader(database, 'name');
  const kindOf = openKindReader(nameOf);
  const textOf = openTextReader(database, 'text');
  const allClusters = prepare(database, 'SELECT id FROM cluster ORDER BY id');
  const findCluster = prepare(database, 'SELECT id FROM cluster WHERE name = ?');
  const findName = prepare(database, 'SELECT id FROM name WHERE text = ?');
  const ofCluster = prepare(
    database,
    `SELECT noticed_at, id FROM transition WHERE cluster = ?1 AND noticed_at >= ?2 AND noticed_at <= ?3
       AND (noticed_at < ?3 OR id < ?4) ORDER BY noticed_at DESC, id DESC LIMIT ?5`,
  );
  const object = `(?6 IS NULL OR o.kind = ?6) AND (?7 IS NULL OR o.namespace = ?7) AND (?8 IS NULL OR o.name = ?8)`;
  const ofObjects = prepare(
    database,
    `SELECT t.noticed_at, t.id FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
     WHERE o.cluster = ?1 AND ${object} AND t.noticed_at >= ?2 AND t.noticed_at <= ?3
       AND (t.noticed_at < ?3 OR t.id < ?4) ORDER BY t.noticed_at DESC, t.id DESC LIMIT ?5`,
  );
  const countOfCluster = prepare(
    database,
    `SELECT COUNT(*) FROM (SELECT 1 FROM transition WHERE cluster = ?1 AND noticed_at >= ?2 AND noticed_at < ?3 LIMIT ?4)`,
  );
  const countOfObjects = prepare(
    database,
    `SELECT COUNT(*) FROM (SELECT 1 FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
       WHERE o.cluster = ?1 AND ${object} AND t.noticed_at >= ?2 AND t.noticed_at < ?3 LIMIT ?4)`,
  );
  const wholeRow = prepare(
    database,
    `SELECT ${transitionColumns}, c.name, o.kind, o.namespace, o.name FROM transition t
     JOIN object o ON o.id = t.object JOIN cluster c ON c.id = t.cluster WHERE t.id = ?`,
  );
  const coverage = 'FROM coverage WHERE cluster = ?1 AND (?3 IS NULL OR kind IN (0, ?3))';
  const lookedBefore = prepare(database, `SELECT at ${coverage} AND at < ?2 ORDER BY at DESC LIMIT 1`);
  const lookedAfter = prepare(database, `SELECT at ${coverage} AND at > ?2 ORDER BY at LIMIT 1`);
  const judgedAfter = prepare(
    database,
    'SELECT noticed_at FROM transition WHERE cluster = ?1 AND noticed_at > ?2 ORDER BY noticed_at LIMIT 1',
  );
  const objectsAfter = prepare(
    database,
    `SELECT MIN((SELECT MIN(t.noticed_at) FROM transition t WHERE t.object = o.id AND t.noticed_at > ?2)) FROM object o
     WHERE o.cluster = ?1 AND (?3 IS NULL OR o.kind = ?3) AND (?4 IS NULL OR o.namespace = ?4) AND (?5 IS NULL OR o.name = ?5)`,
  );

  function idOf(word: string): number | null {
    const row = firstRow(findName, word);
    return row === null ? null : whole(row[0]);
  }

  function resolve({ clusters, kind, namespace, name }: RecordScope): Resolved | null {
    const kindId = kind === undefined ? null : idOf(kindKey(kind));
    const namespaceId = namespace === undefined ? null : idOf(namespace);
    if ((kind !== undefined && kindId === null) || (namespace !== undefined && namespaceId === null)) return null;
    const ids =
      clusters === null
        ? allRows(allClusters).map((row) => whole(row[0]))
        : clusters.flatMap((cluster) => {
            const row = firstRow(findCluster, cluster);
            return row === null ? [] : [whole(row[0])];
          });
    return { clusters: ids, kind: kindId, namespace: namespaceId, name: name ?? null };
  }

  function isWhole({ kind, namespace, name }: Resolved): boolean {
    return kind === null && namespace === null && name === null;
  }

  /** The newest of a scope, at most `limit`, up to and without a place. What a cluster has older than what was found already is not read. */
  function newest(scope: Resolved, from: number, before: Placed, limit: number): readonly Placed[] {
    let found: Placed[] = [];
    let oldest = from;
    for (const cluster of scope.clusters) {
      const rows = isWhole(scope)
        ? allRows(ofCluster, cluster, oldest, before.noticedAt, before.id, limit)
        : allRows(
            ofObjects,
            cluster,
            oldest,
            before.noticedAt,
            before.id,
            limit,
            scope.kind,
            scope.namespace,
            scope.name,
          );
      found.push(...rows.map((row) => ({ noticedAt: whole(row[0]), id: whole(row[1]) })));
      if (found.length < limit) continue;
      found = found.toSorted((a, b) => b.noticedAt - a.noticedAt || b.id - a.id).slice(0, limit);
      oldest = found.at(-1)?.noticedAt ?? oldest;
    }
    return found.toSorted((a, b) => b.noticedAt - a.noticedAt || b.id - a.id);
  }

  function read({ id }: Placed): Transition {
    const row = firstRow(wholeRow, id);
    if (row === null) throw new Error(`the store has no transition ${id}`);
    const ref = {
      cluster: text(row[11]),
      ...kindOf(whole(row[12])),
      namespace: nameOf(whole(row[13])),
      name: text(row[14]),
    };
    return transitionOf(ref, row, textOf);
  }

  function nextOf(scope: Resolved, cluster: number, at: number): number | null {
    const row = isWhole(scope)
      ? firstRow(judgedAfter, cluster, at)
      : firstRow(objectsAfter, cluster, at, scope.kind, scope.namespace, scope.name);
    return timeIn(row?.[0]);
  }

  return {
    async transitions(scope, period, { cursor, limit }): Promise<RecordPage<Transition>> {
      const resolved = resolve(scope);
      const before = placeOf(period, cursor);
      if (resolved === null || before === null || period.from >= period.to) return { items: [], next: null };
      const found = newest(resolved, period.from, before, limit + 1);
      const last = found[limit - 1];
      return {
        items: found.slice(0, limit).map(read),
        next: found.length > limit && last ? `${last.noticedAt}.${last.id}` : null,
      };
    },
    async transitionCount(scope, { from, to }, most) {
      const resolved = resolve(scope);
      if (resolved === null || from >= to) return 0;
      let count = 0;
      for (const cluster of resolved.clusters) {
        if (count >= most) break;
        const row = isWhole(resolved)
          ? firstRow(countOfCluster, cluster, from, to, most - count)
          : firstRow(
              countOfObjects,
              cluster,
              from,
              to,
              most - count,
              null,
              resolved.kind,
              resolved.namespace,
              resolved.name,
            );
        count += whole(row?.[0]);
      }
      return count;
    },
    async changesBeside(at, scope) {
      const resolved = resolve(scope);
      if (resolved === null) return { before: null, after: null };
      const before: (number | null)[] = [];
      const after: (number | null)[] = [];
      for (const cluster of resolved.clusters) {
        before.push(timeIn(firstRow(lookedBefore, cluster, at, resolved.kind)?.[0]));
        after.push(timeIn(firstRow(lookedAfter, cluster, at, resolved.kind)?.[0]), nextOf(resolved, cluster, at));
      }
      before.push(newest(resolved, 0, { noticedAt: at, id: 0 }, 1)[0]?.noticedAt ?? null);
      const [earlier, later] = [before.filter((time) => time !== null), after.filter((time) => time !== null)];
      return {
        before: earlier.length === 0 ? null : Math.max(...earlier),
        after: later.length === 0 ? null : Math.min(...later),
      };
    },
  };
}

/** Where a page begins: at the period's end, or behind the last of the page before; null for a cursor that is none. */
function placeOf(period: Period, cursor: RecordCursor | null): Placed | null {
  if (cursor === null) return { noticedAt: period.to, id: 0 };
  const read = /^(\d+)\.(\d+)$/.exec(cursor);
  return read === null ? null : { noticedAt: Number(read[1]), id: Number(read[2]) };
}

function timeIn(cell: unknown): number | null {
  return typeof cell === 'number' ? cell : null;
}
