import type { DatabaseSync } from 'node:sqlite';
import { kindKey, sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { firstRow, firstWhole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { leaveIncidents, removeEmptyIncidents } from './leave-incidents.ts';
import { removeAlarmsOfCluster, removeAlarmsOfObject } from './remove-alarms.ts';
import type { Removed } from './removed.ts';
import { columnsOf } from './schema.ts';

/** Id of what is asked for; null where there is none. */
export function clusterIdOf(database: DatabaseSync, name: string): number | null {
  return firstWhole(prepare(database, "SELECT id FROM fact_source WHERE type = 'cluster' AND name = ?"), name);
}

/** The id of an object, also of one that is gone; null where there is none. */
export function objectIdOf(database: DatabaseSync, ref: ObjectRef): number | null {
  const found = prepare(
    database,
    `SELECT o.id FROM object o JOIN fact_source s ON s.id = o.cluster JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace
     WHERE s.type = 'cluster' AND s.name = ? AND k.text = ? AND n.text = ? AND o.name = ?`,
  );
  return firstWhole(found, ref.cluster, kindKey(ref), ref.namespace, ref.name);
}

function tablesWith(database: DatabaseSync, column: string): readonly string[] {
  return columnsOf(database).flatMap(({ table, name }) => (name === column && table !== column ? [table] : []));
}

/** Removes whatever any table has of an object, from `now` (ms) on also from incidents. Figures of its cluster that were rolled up are made anew. */
export function removeObject(database: DatabaseSync, object: number, ref: ObjectRef, now: number): Removed {
  const incidents = leaveIncidents(database, { column: 'object', id: object, ended: 'removed' }, now);
  const ofCluster = '(SELECT cluster FROM object WHERE id = ?)';
  for (const table of ['rollup_range', 'rollup', 'rollup_absences', 'rollup_union', 'snapshot'])
    database.prepare(`DELETE FROM ${table} WHERE cluster = ${ofCluster}`).run(object);
  const removed = tablesWith(database, 'object').map((table) => ({
    table,
    count: Number(database.prepare(`DELETE FROM ${table} WHERE object = ?`).run(object).changes),
  }));
  const isPresent = prepare(database, 'SELECT traits IS NOT NULL FROM object WHERE id = ?');
  const wasPresent = firstRow(isPresent, object)?.[0] === 1 ? 1 : 0;
  database.prepare(`UPDATE fact_source SET objects = objects - ? WHERE id = ${ofCluster}`).run(wasPresent, object);
  database.prepare('DELETE FROM object WHERE id = ?').run(object);
  const gone = removeEmptyIncidents(database, incidents, (cause) => namesObject(cause, ref));
  const alarms = removeAlarmsOfObject(database, ref);
  return [...removed, ...gone, ...alarms].filter(({ count }) => count > 0).concat({ table: 'object', count: 1 });
}

/** Removes whatever any table has of a cluster and of its objects, from `now` (ms) on also from incidents. */
export function removeCluster(database: DatabaseSync, cluster: number, name: string, now: number): Removed {
  const incidents = leaveIncidents(database, { column: 'cluster', id: cluster, ended: 'forgotten' }, now);
  const objects = '(SELECT id FROM object WHERE cluster = ?)';
  const ofCluster = tablesWith(database, 'cluster').filter((table) => table !== 'object');
  const ofObjects = tablesWith(database, 'object').filter((table) => !ofCluster.includes(table));
  const removed = [
    ...ofObjects.map((table) => [table, `DELETE FROM ${table} WHERE object IN ${objects}`] as const),
    ...[...ofCluster, 'object'].map((table) => [table, `DELETE FROM ${table} WHERE cluster = ?`] as const),
    ...tablesWith(database, 'fact_source').map(
      (table) => [table, `DELETE FROM ${table} WHERE fact_source = ?`] as const,
    ),
    ...['cluster', 'fact_source'].map((table) => [table, `DELETE FROM ${table} WHERE id = ?`] as const),
  ].map(([table, sql]) => ({ table, count: Number(database.prepare(sql).run(cluster).changes) }));
  const gone = removeEmptyIncidents(database, incidents, (cause) => clusterOfCause(cause) === name);
  const alarms = removeAlarmsOfCluster(database, name);
  return [...removed, ...gone, ...alarms].filter(({ count }) => count > 0);
}

function namesObject(cause: Cause, ref: ObjectRef): boolean {
  if (cause.type === 'object') return sameRef(cause.ref, ref);
  return cause.type === 'shared-error' && sameRef(cause.providerConfig, ref);
}

function clusterOfCause(cause: Cause): string | null {
  switch (cause.type) {
    case 'object':
      return cause.ref.cluster;
    case 'controller':
    case 'cluster':
    case 'feed':
    case 'shared-error':
      return cause.cluster;
    case 'outside':
      return null;
  }
}
