import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { refKey } from '#lib/domain/observation/ref.ts';
import { encodeFault } from '#server/store/codec/fault-text.ts';
import { clusterSource, type Lease, type StoreWriter } from '#server/store/port/port.ts';
import type { IncidentRows } from '#server/store/record/incident/memory-book.ts';
import type { Written } from './random-history.ts';
import { noon } from './store-records.ts';

/** Everything that is kept of incidents, in lists that two engines can be compared by. */
export interface KeptIncidents {
  readonly incidents: readonly unknown[];
  readonly members: readonly unknown[];
  readonly steps: readonly unknown[];
  readonly faults: readonly unknown[];
}

/** Rows of the file, as the disk has them. */
function rows(path: string, sql: string): readonly (readonly unknown[])[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const found: unknown = statement.all();
  database.close();
  if (!Array.isArray(found)) throw new Error('no rows');
  return found;
}

const text = (id: string): string => `(SELECT text FROM text WHERE id = ${id})`;
const subjectName = (of: string): string => `CASE WHEN ${of}.object = 0 THEN
  (SELECT name FROM fact_source WHERE id = ${of}.cluster) ELSE
  (SELECT s.name || '/' || k.text || '/' || n.text || '/' || o.name FROM object o JOIN fact_source s ON s.id = o.cluster
   JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace WHERE o.id = ${of}.object) END`;

/** Everything that the file at a path keeps of incidents. */
export function storedIncidents(path: string): KeptIncidents {
  return {
    incidents: rows(
      path,
      `SELECT public_id, ${text('cause')}, opened_at, bound, noticed_at, closed_at, ended, merged_into, merged_at, worst, ${text('reason')},
         returns, open, objects, clusters, most_objects, most_clusters, members, object_time, changed_at, grown_at, left_at FROM incident ORDER BY id`,
    ),
    members: rows(
      path,
      `SELECT incident, ${subjectName('m')}, objects, from_at, bound, noticed_at, joined_at, to_at, ended, ${text('fault')}, fault_at
       FROM incident_member m ORDER BY id`,
    ),
    steps: rows(
      path,
      `SELECT incident, type, at, ${text('cause')}, opened_at, closed_at, ended, returns, objects, clusters, most_objects, most_clusters,
         members, object_time, merged_into FROM incident_step ORDER BY id`,
    ),
    faults: rows(
      path,
      `SELECT ${subjectName('f')}, at, planned, CASE WHEN fault IS NULL THEN ended ELSE ${text('fault')} END FROM fault f ORDER BY id`,
    ),
  };
}

/** Everything that a record in memory keeps of incidents. */
export function keptIncidents({ states, members, steps, faults, subjects }: IncidentRows): KeptIncidents {
  const nameOf = (subject: number): string => {
    const found = subjects.get(subject);
    return found?.ref ? refKey(found.ref) : (found?.cluster ?? '');
  };
  return {
    incidents: states.map((state) => [
      state.id,
      JSON.stringify(state.cause),
      ...[state.openedAt, state.bound, state.noticedAt, state.closedAt, state.ended, state.mergedInto, state.mergedAt],
      ...[state.worst, state.reason, state.returns, state.open, state.objects, state.clusters],
      ...[state.mostObjects, state.mostClusters, state.members, state.objectTime],
      ...[state.changedAt, state.grownAt, state.leftAt],
    ]),
    members: members.map(({ incident, subject, from, joinedAt, to, ended, fault, faultAt }) => [
      ...[incident, nameOf(subject.id), subject.objects, from, subject.bound, subject.noticedAt, joinedAt, to, ended],
      encodeFault(fault),
      faultAt,
    ]),
    steps: steps.map((step) => [
      ...[step.incident, step.type, step.at, JSON.stringify(step.cause), step.openedAt, step.closedAt, step.ended],
      ...[step.returns, step.objects, step.clusters, step.mostObjects, step.mostClusters, step.members],
      ...[step.objectTime, step.into],
    ]),
    faults: faults.map((note) => [
      ...[nameOf(note.subject.id), note.at],
      ...(note.type === 'over' ? [0, note.ended] : [note.planned ? 1 : 0, encodeFault(note.fault)]),
    ]),
  };
}

/** Each incident as it stood at each moment: what happened at one moment is told by its last step. */
export function momentsOf({ steps }: KeptIncidents): ReadonlyMap<string, unknown> {
  return new Map(steps.map((step) => (Array.isArray(step) ? [`${step[0]} at ${step[2]}`, step.slice(3)] : ['', step])));
}

/** Writes a history under leases of its own. */
export async function writeAll(writer: StoreWriter, writes: readonly Written[]): Promise<void> {
  const leases = new Map<string, Lease<'cluster'>>();
  for (const cluster of new Set(writes.map((written) => written.cluster))) {
    const lease = await writer.acquire(clusterSource(cluster), 'one', noon, 15_000);
    if (lease !== null) leases.set(cluster, lease);
  }
  // What is asked for at once is committed together, in its order.
  const outcomes = writes.map((written) => {
    const lease = leases.get(written.cluster);
    if (lease === undefined) throw new Error(`no lease of ${written.cluster}`);
    return 'batch' in written ? writer.write(lease, written.batch) : writer.forget(lease, written.forgottenAt);
  });
  expect(new Set((await Promise.all(outcomes)).map(({ type }) => type))).toEqual(new Set(['written']));
}

/** Takes away what a file of version 13 had not: its history is to be carried over. */
export function asOfVersion13(path: string): void {
  const database = new DatabaseSync(path);
  for (const table of [
    'fault',
    'fault_pending',
    'incident',
    'incident_step',
    'incident_member',
    'incident_key',
    'incident_cluster',
    'planned_work',
  ])
    database.exec(`DELETE FROM ${table}`);
  database.exec(`DELETE FROM sqlite_sequence WHERE name IN ('incident', 'incident_step')`);
  database.exec(`INSERT INTO housekeeping (work, place) VALUES ('incidents-from', 0), ('incidents-up-to', 0)`);
  database.close();
}
