import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { boundedMap } from '../../../../runtime/bounded-map.ts';
import { allRows, firstRow, text, whole } from '../../rows/cells.ts';

/** The objects that may be seen of a view. */
export interface SeenObjects {
  /** Their ids, as SQL takes them. */
  readonly ids: string;
  readonly count: number;
  /** Number of objects in the whole record, about. */
  readonly among: number;
}

/** Of more objects that may be seen it is not remembered which they are. */
const mostSeen = 20_000;
const viewsRemembered = 32;

/** Clusters of which all may be seen, and namespaces of others: on any cluster, or on one each. */
export interface Places {
  readonly whole: readonly number[];
  readonly anywhere: readonly number[];
  readonly some: readonly (readonly [cluster: number, namespace: number])[];
  /** The objects in them; null where those are too many to start from them. A function: the key of what is kept does not hold them. */
  readonly objects: () => SeenObjects | null;
}

/** Statements that are prepared once. */
interface Statements {
  readonly statement: (sql: string) => StatementSync;
  readonly ids: (sql: string, parameters: readonly SQLInputValue[]) => readonly number[];
}

/** The objects of a view up to the last one that was looked at. */
interface Known {
  readonly store: string;
  readonly last: number;
  /** null: too many. */
  readonly ids: readonly number[] | null;
  readonly text: string;
}

/**
 * Finds the objects that may be seen of a view, over an open database; null where they are too many to start from them. An object never changes its
 * cluster or namespace, and one that comes later has a higher id: only those are sought anew. What is purged is another store.
 */
export function openSeenObjects(
  scopes: Statements,
  placed: (places: Places) => { readonly sql: string; readonly parameters: readonly SQLInputValue[] },
): (places: Places) => SeenObjects | null {
  const known = boundedMap<string, Known>(viewsRemembered);
  const readNow = scopes.statement('SELECT (SELECT id FROM store), (SELECT MAX(id) FROM object)');

  /** Each kind of place by the index of what an object is: to look at all objects takes long. */
  function all({ whole: clusters, anywhere, some }: Places): readonly number[] {
    const pairs =
      "SELECT json_extract(value, '$[0]') AS cluster, json_extract(value, '$[1]') AS namespace FROM json_each(?)";
    return scopes.ids(
      `SELECT o.id FROM json_each(?) c CROSS JOIN object o INDEXED BY object_identity ON o.cluster = c.value
       UNION SELECT o.id FROM (${pairs}) p CROSS JOIN object o INDEXED BY object_identity
         ON o.cluster = p.cluster AND o.namespace = p.namespace
       UNION SELECT o.id FROM object o INDEXED BY object_identity
         WHERE ? > 0 AND o.namespace IN (SELECT value FROM json_each(?)) LIMIT ${mostSeen + 1}`,
      [JSON.stringify(clusters), JSON.stringify(some), anywhere.length, JSON.stringify(anywhere)],
    );
  }

  function since(places: Places, last: number): readonly number[] {
    const { sql, parameters } = placed(places);
    const statement = scopes.statement(`SELECT o.id FROM object o WHERE o.id > ? AND ${sql} LIMIT ${mostSeen + 1}`);
    return allRows(statement, last, ...parameters).map(([id]) => whole(id));
  }

  return (places) => {
    const key = JSON.stringify(places);
    const [storeId, newest] = firstRow(readNow) ?? [];
    const [store, last] = [text(storeId), newest === null ? 0 : whole(newest)];
    const found = known.get(key);
    let its = found?.store === store ? found : null;
    if (its === null || its.last < last) {
      const before = its === null ? [] : its.ids;
      const added = before === null ? [] : its === null ? all(places) : since(places, its.last);
      const ids = before === null || before.length + added.length > mostSeen ? null : [...before, ...added];
      its = { store, last, ids, text: ids === null ? '' : JSON.stringify(ids) };
      known.set(key, its);
    }
    return its.ids === null ? null : { ids: its.text, count: its.ids.length, among: last };
  };
}
