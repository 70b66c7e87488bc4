import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { boundedMap } from '../../../../runtime/bounded-map.ts';
import { allRows, firstRow, text, whole, type Row } from '../../rows/cells.ts';

/** Objects that may be seen. */
export interface SeenObjects {
  /** Their ids, as SQL takes them. */
  readonly ids: string;
  readonly count: number;
  /** Number of objects in the whole record, about. */
  readonly among: number;
}

/** Gives those of some clusters, or of all (null). */
type SeenOf = (clusters: readonly number[] | null) => SeenObjects;

/** Of more objects that may be seen it is not remembered which they are. */
const mostSeen = 20_000;
const viewsRemembered = 32;

/** Clusters of which all may be seen, and namespaces of others: on any cluster, or on one each. */
export interface Places {
  readonly whole: readonly number[];
  readonly anywhere: readonly number[];
  readonly some: readonly (readonly [cluster: number, namespace: number])[];
  /** The objects in them; null where those are too many to start from them. A function: the key of what is kept does not hold them. */
  readonly objects: () => SeenOf | null;
}

/** Statements that are prepared once. */
type Statements = (sql: string) => StatementSync;

/** Objects of a view up to the last one that was looked at. */
interface Known {
  readonly store: string;
  readonly last: number;
  /** null: too many. */
  readonly seen: SeenOf | null;
  /** Rows of id and cluster. */
  readonly rows: readonly Row[];
}

/**
 * Finds the objects that may be seen of a view, over an open database. An object never changes its cluster or namespace, and one that comes later has a
 * higher id: only those are sought anew. What is purged is another store.
 */
export function openSeenObjects(
  statement: Statements,
  placed: (places: Places) => { readonly sql: string; readonly parameters: readonly SQLInputValue[] },
): (places: Places) => SeenOf | null {
  const known = boundedMap<string, Known>(viewsRemembered);
  const readNow = statement('SELECT (SELECT id FROM store), (SELECT MAX(id) FROM object)');

  function since(places: Places, last: number): readonly Row[] {
    const { sql, parameters } = placed(places);
    const later = statement(`SELECT o.id, o.cluster FROM object o WHERE o.id > ? AND ${sql} LIMIT ${mostSeen + 1}`);
    return allRows(later, last, ...parameters);
  }

  return (places) => {
    const key = JSON.stringify(places);
    const [storeId, newest] = firstRow(readNow) ?? [];
    const [store, last] = [text(storeId), newest === null ? 0 : whole(newest)];
    const found = known.get(key);
    const before = found?.store === store ? found : null;
    if (before !== null && (before.last === last || before.seen === null)) return before.seen;
    const added = before === null ? allIn(statement, places) : since(places, before.last);
    const rows = [...(before?.rows ?? []), ...added];
    const isTooMany = rows.length > mostSeen;
    const its = { store, last, seen: isTooMany ? null : seenOf(rows, last), rows: isTooMany ? [] : rows };
    known.set(key, its);
    return its.seen;
  };
}

/** Rows of id and cluster of what is in places, each sort of place by an index: to look at all objects takes long. */
function allIn(statement: Statements, { whole: clusters, anywhere, some }: Places): readonly Row[] {
  const pairs =
    "SELECT json_extract(value, '$[0]') AS cluster, json_extract(value, '$[1]') AS namespace FROM json_each(?)";
  const all = statement(
    `SELECT o.id, o.cluster FROM json_each(?) c CROSS JOIN object o INDEXED BY object_identity ON o.cluster = c.value
     UNION SELECT o.id, o.cluster FROM (${pairs}) p CROSS JOIN object o INDEXED BY object_identity
       ON o.cluster = p.cluster AND o.namespace = p.namespace
     UNION SELECT o.id, o.cluster FROM object o INDEXED BY object_identity
       WHERE ? > 0 AND o.namespace IN (SELECT value FROM json_each(?)) LIMIT ${mostSeen + 1}`,
  );
  return allRows(all, JSON.stringify(clusters), JSON.stringify(some), anywhere.length, JSON.stringify(anywhere));
}

function seenOf(rows: readonly Row[], among: number): SeenOf {
  const idOf = ([id]: Row): number => whole(id);
  const all = { ids: JSON.stringify(rows.map(idOf)), count: rows.length, among };
  const byCluster = Map.groupBy(rows, ([, cluster]) => whole(cluster));
  return (clusters) => {
    if (clusters === null) return all;
    const ids = [...new Set(clusters)].flatMap((cluster) => byCluster.get(cluster)?.map(idOf) ?? []);
    return ids.length === all.count ? all : { ids: JSON.stringify(ids), count: ids.length, among };
  };
}
