import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { grantedWithin, type Within } from '#lib/domain/access/within.ts';
import { kindKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { boundedMap, boundedMemo } from '../../../../runtime/bounded-map.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import { allRows, firstWhole, oneRow, text, whole } from '../../rows/cells.ts';
import { prepare } from '../../database.ts';
import { openKindReader } from '../../rows/kind-reader.ts';
import { openTextReader } from '../../rows/text-reader.ts';
import { openSeenObjects, type Places, type SeenObjects } from './seen-objects.ts';

/** A scope in ids. `null` for a part that is not bound. */
export interface ScopeIds {
  readonly clusters: readonly number[] | null;
  readonly kind: number | null;
  readonly namespace: number | null;
  readonly name: string | null;
  /** Part of those clusters that may be seen; null for all of them. */
  readonly places: Places | null;
  /** The objects of it that are asked for: those of one piece where a question is answered piece by piece; absent for all. */
  readonly piece?: SeenObjects;
}

/** A condition of SQL with its parameters. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

const refsRemembered = 50_000;
/** A question has some dozen statements; which, hangs on the verdicts and the one cluster that it names. */
const statementsKept = 400;

/** Reads scopes, what ids stand for, and statements that differ by the shape of a scope. */
export type Scopes = ReturnType<typeof openScopes>;

/** Of a column that holds the id of a cluster. */
export function ofClusters({ clusters }: Pick<ScopeIds, 'clusters'>, column: string): Condition {
  if (clusters === null) return { sql: 'TRUE', parameters: [] };
  const [only] = clusters;
  if (clusters.length === 1 && only !== undefined) return { sql: `${column} = ?`, parameters: [only] };
  return { sql: `${column} IN (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(clusters)] };
}

/** Of the objects `o` with these ids. */
export function among(objects: readonly number[]): Condition {
  return { sql: 'o.id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(objects)] };
}

/** True if a scope asks for whole clusters. */
export function isOfClusters(scope: ScopeIds): boolean {
  return asksForClusters(scope) && scope.places === null;
}

/**
 * The objects of a piece, or that may be seen of a scope; null where all of its clusters may, or so much that the objects are not looked for by themselves.
 */
export function seenObjects({ clusters, places, piece }: ScopeIds): SeenObjects | null {
  return piece ?? places?.objects()?.(clusters) ?? null;
}

/** True if it asks for all of each cluster, whatever of it may be seen. */
function asksForClusters({ kind, namespace, name }: ScopeIds): boolean {
  return kind === null && namespace === null && name === null;
}

/** Clusters of a scope of which all may be seen. */
export function wholeClusters({ clusters, places }: ScopeIds): Pick<ScopeIds, 'clusters'> {
  if (places === null) return { clusters };
  return { clusters: clusters === null ? places.whole : places.whole.filter((cluster) => clusters.includes(cluster)) };
}

/** Prepares the questions over an open database. */
export function openScopes(database: DatabaseSync) {
  const statements = boundedMap<string, StatementSync>(statementsKept);

  function statement(sql: string): StatementSync {
    const known = statements.get(sql) ?? prepare(database, sql);
    statements.set(sql, known);
    return known;
  }

  const ids = (sql: string, parameters: readonly SQLInputValue[] = []): readonly number[] =>
    allRows(statement(sql), ...parameters).map((row) => whole(row[0]));

  return {
    ...openIdentifiers(database, openSeenObjects(statement, inPlaces)),
    /** The text of an id. */
    textOf: openTextReader(database, 'text'),
    /** Of the objects in `o`. */
    objects: ofObjects,
    /** Of the rows of a table that has clusters and objects: by the former alone where a scope is of whole clusters. */
    rows: rowsIn,
    /**
     * The same where some rows have no object, but tell of a cluster as a whole: with those of clusters of which all is asked for and may be seen. `beside`:
     * a condition under which such a row may be seen by who sees any part of its cluster.
     */
    rowsOfAll: (scope: ScopeIds, table: string, beside: Condition = nothing): Joined =>
      asksForClusters(scope) && scope.places !== null
        ? rowsInPlaces(scope, scope.places, table, beside)
        : rowsIn(scope, table),
    /** A statement that returns arrays, prepared once. */
    statement,
    /** The numbers that a statement gives in its first column. */
    ids,
  };
}

const nothing: Condition = { sql: 'FALSE', parameters: [] };

/** A condition, with what has to be joined for it: `inOrder` where the table is to be read first, `join` where that is the engine's choice. */
interface Joined extends Condition {
  readonly join: string;
  readonly inOrder: string;
}

function rowsIn(scope: ScopeIds, table: string): Joined {
  if (isOfClusters(scope)) return { join: '', inOrder: '', ...ofClusters(scope, `${table}.cluster`) };
  const join = `JOIN object o ON o.id = ${table}.object`;
  return { join, inOrder: `CROSS ${join}`, ...ofObjects(scope) };
}

function rowsInPlaces(scope: ScopeIds, places: Places, table: string, beside: Condition): Joined {
  const clusters = ofClusters(scope, `${table}.cluster`);
  const all = ofClusters({ clusters: places.whole }, `${table}.cluster`);
  const placed = inPlaces(places);
  // What stands at the left of such a join is read first in any case, and SQLite takes no CROSS before it.
  const join = `LEFT JOIN object o ON o.id = ${table}.object`;
  return {
    join,
    inOrder: join,
    sql: `${clusters.sql} AND (${all.sql} OR (o.id IS NOT NULL AND ${placed.sql}) OR (o.id IS NULL AND ${beside.sql}))`,
    parameters: [...clusters.parameters, ...all.parameters, ...placed.parameters, ...beside.parameters],
  };
}

/** Of the objects in `o` that may be seen. */
function inPlaces({ whole: all, anywhere, some }: Places): Condition {
  const pairs = "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)";
  return {
    sql: `(o.cluster IN (SELECT value FROM json_each(?)) OR o.namespace IN (SELECT value FROM json_each(?))
      OR (o.cluster, o.namespace) IN (${pairs}))`,
    parameters: [JSON.stringify(all), JSON.stringify(anywhere), JSON.stringify(some)],
  };
}

/** Of the objects in `o`. */
function ofObjects(scope: ScopeIds): Condition {
  const seen = seenObjects(scope);
  const parts = [
    ['o.kind = ?', scope.kind],
    ['o.namespace = ?', scope.namespace],
    ['o.name = ?', scope.name],
  ] as const;
  const bound = parts.filter(([, value]) => value !== null);
  const its = [
    seen === null ? objectsOn(scope) : { sql: 'o.id IN (SELECT value FROM json_each(?))', parameters: [seen.ids] },
    ...bound.map(([sql, value]) => ({ sql, parameters: [value] })),
    // Some clusters of a piece may be asked for.
    ...(scope.piece === undefined ? [] : [ofClusters(scope, 'o.cluster')]),
    ...(seen === null && scope.places !== null ? [inPlaces(scope.places)] : []),
  ];
  return { sql: its.map(({ sql }) => sql).join(' AND '), parameters: its.flatMap(({ parameters }) => parameters) };
}

/** Of the objects in `o` on the clusters of a scope: with a name but any cluster they are sought cluster by cluster, not by looking at all of them. */
function objectsOn(scope: ScopeIds): Condition {
  const isEverywhere = scope.clusters === null && scope.name !== null;
  return isEverywhere
    ? { sql: 'o.cluster IN (SELECT id FROM cluster)', parameters: [] }
    : ofClusters(scope, 'o.cluster');
}

/** Clusters that are asked for and of which anything may be seen; null for any. */
function clustersWithin(clusters: readonly string[] | null, within: Within): readonly string[] | null {
  if (clusters !== null) return clusters.filter((name) => grantedWithin(within, name) !== 'none');
  if (within.some((part) => part.clusters === null && part.namespaces?.length !== 0)) return null;
  const named = within.flatMap((part) => (part.namespaces?.length === 0 ? [] : (part.clusters ?? [])));
  return [...new Set(named)].toSorted();
}

/** True if of these clusters (null: any) all may be seen. */
function areWhole(clusters: readonly string[] | null, within: Within): boolean {
  if (within.some((part) => part.clusters === null && part.namespaces === null)) return true;
  return clusters?.every((name) => grantedWithin(within, name) === 'all') ?? false;
}

/** Places of a view in ids; of what the store has no word for none. */
function placesOf(
  within: Within,
  read: {
    readonly idsOf: (clusters: readonly string[]) => readonly number[];
    readonly namespaceOf: (name: string) => number | null;
    readonly objectsIn: (places: Places) => ReturnType<Places['objects']>;
  },
): Places {
  const parts = within.map(({ clusters, namespaces }) => ({
    clusters: clusters === null ? null : read.idsOf(clusters),
    namespaces: namespaces === null ? null : namespaces.flatMap((name) => read.namespaceOf(name) ?? []),
  }));
  let objects: ReturnType<Places['objects']> | undefined;
  const places: Places = {
    whole: parts.flatMap(({ clusters, namespaces }) => (namespaces === null ? (clusters ?? []) : [])),
    anywhere: parts.flatMap(({ clusters, namespaces }) => (clusters === null ? (namespaces ?? []) : [])),
    some: parts.flatMap(({ clusters, namespaces }) =>
      (clusters ?? []).flatMap((cluster) => (namespaces ?? []).map((namespace) => [cluster, namespace] as const)),
    ),
    objects: () => (objects === undefined ? (objects = read.objectsIn(places)) : objects),
  };
  return places;
}

/** Prepares the reading of what ids stand for. */
function openIdentifiers(database: DatabaseSync, objectsIn: (places: Places) => ReturnType<Places['objects']>) {
  const nameOf = openTextReader(database, 'name');
  const kindOf = openKindReader(nameOf);
  const findCluster = prepare(database, "SELECT id FROM fact_source WHERE type = 'cluster' AND name = ?");
  const readCluster = prepare(database, 'SELECT name FROM fact_source WHERE id = ?');
  const findName = prepare(database, 'SELECT id FROM name WHERE text = ?');
  const readObject = prepare(database, 'SELECT cluster, kind, namespace, name FROM object WHERE id = ?');
  const findObject = prepare(
    database,
    'SELECT id FROM object WHERE cluster = ? AND kind = ? AND namespace = ? AND name = ?',
  );
  const clusterNames = new Map<number, string>();

  function idsOf(clusters: readonly string[]): readonly number[] {
    return clusters.map((cluster) => firstWhole(findCluster, cluster)).filter((id) => id !== null);
  }

  function clusterName(id: number): string {
    const known = clusterNames.get(id) ?? text(oneRow(readCluster, id)[0]);
    clusterNames.set(id, known);
    return known;
  }

  return {
    /** The scope in ids; null where the store has no word for a part of it: nothing is in it. */
    resolve({ clusters, kind, namespace, name, within }: RecordScope): ScopeIds | null {
      const kindId = kind === undefined ? null : firstWhole(findName, kindKey(kind));
      const namespaceId = namespace === undefined ? null : firstWhole(findName, namespace);
      if ((kind !== undefined && kindId === null) || (namespace !== undefined && namespaceId === null)) return null;
      const asked = within === undefined ? clusters : clustersWithin(clusters, within);
      const ids = asked === null ? null : idsOf(asked);
      const places =
        within === undefined || areWhole(asked, within)
          ? null
          : placesOf(within, { idsOf, namespaceOf: (name) => firstWhole(findName, name), objectsIn });
      return { clusters: ids, kind: kindId, namespace: namespaceId, name: name ?? null, places };
    },
    /** A whole cluster; nothing is in one that the store does not know. */
    ofCluster: (name: string): ScopeIds => ({
      clusters: idsOf([name]),
      kind: null,
      namespace: null,
      name: null,
      places: null,
    }),
    clusterName,
    /** Name of a source of facts of any type. */
    sourceName: clusterName,
    nameOf,
    kindOf,
    refOf: boundedMemo(refsRemembered, (object: number): ObjectRef => {
      const [cluster, kind, namespace, name] = oneRow(readObject, object);
      return {
        cluster: clusterName(whole(cluster)),
        ...kindOf(whole(kind)),
        namespace: nameOf(whole(namespace)),
        name: text(name),
      };
    }),
    /** The id of an object; null where the store has none of that name. */
    objectOf(ref: ObjectRef): number | null {
      const [cluster] = idsOf([ref.cluster]);
      const kind = firstWhole(findName, kindKey(ref));
      const namespace = firstWhole(findName, ref.namespace);
      if (cluster === undefined || kind === null || namespace === null) return null;
      return firstWhole(findObject, cluster, kind, namespace, ref.name);
    },
  };
}
