import type { DatabaseSync } from 'node:sqlite';
import { defaultIncidentPolicy, type IncidentEnd } from '#lib/domain/incident/incident.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { decodeCause } from '../../codec/decode.ts';
import { decodeFault } from '../../codec/fault-text.ts';
import { prepare } from '../database.ts';
import { allRows, oneRow, text, whole } from '../rows/cells.ts';
import { openDictionary } from '../rows/dictionary.ts';
import { openKeyHash } from '../writing/incidents/key-hash.ts';
import { openTaking } from '../writing/incidents/taking.ts';

/** Whose members leave: those of one cluster or of one object. */
interface Leaving {
  readonly column: 'cluster' | 'object';
  readonly id: number;
  readonly ended: IncidentEnd;
}

/**
 * Ends what is away of a cluster or an object at `now` (ms), so that no incident waits for it, and takes its members out of the counts;
 * gives the incidents that it was in. Call it within a transaction, before the rows are removed.
 */
export function leaveIncidents(database: DatabaseSync, { column, id, ended }: Leaving, now: number): readonly number[] {
  const taking = openTaking(database, openDictionary(database), defaultIncidentPolicy);
  const away = prepare(
    database,
    `SELECT subject, cluster, object FROM incident_member WHERE ${column} = ? AND to_at IS NULL
     UNION SELECT subject, cluster, object FROM fault_pending WHERE ${column} = ?`,
  );
  const over = allRows(away, id, id).map(([subject, cluster, object]) => ({
    type: 'over' as const,
    at: now,
    subject: { id: whole(subject), cluster: whole(cluster), object: whole(object) },
    ended,
  }));
  taking.take(over, now);
  releaseKeys(database, column, id);
  const uncount = database.prepare('UPDATE incident SET members = members - ? WHERE id = ?');
  const counts = prepare(
    database,
    `SELECT incident, COUNT(*) FROM incident_member WHERE ${column} = ? GROUP BY incident`,
  );
  return allRows(counts, id).map(([incident, count]) => {
    uncount.run(whole(count), whole(incident));
    return whole(incident);
  });
}

/** Lets go of the keys of what was a member: nothing is to share them any more. */
function releaseKeys(database: DatabaseSync, column: Leaving['column'], id: number): void {
  const hashOf = openKeyHash();
  const release = database.prepare('UPDATE incident_key SET count = count - 1 WHERE hash = ? AND incident = ?');
  const held = prepare(
    database,
    `SELECT m.incident, t.text FROM incident_member m JOIN text t ON t.id = m.fault
     WHERE m.${column} = ? AND m.ended IS NOT 'moved'`,
  );
  for (const [incident, fault] of allRows(held, id))
    for (const key of decodeFault(text(fault)).keys) release.run(hashOf(key), whole(incident));
  database.exec('DELETE FROM incident_key WHERE count <= 0');
}

/**
 * Removes those incidents that have no members any more, and what leads to them; gives how many rows went. The others are told by the
 * fault of a member that stays, where they were told by what is `gone`.
 */
export function removeEmptyIncidents(
  database: DatabaseSync,
  incidents: readonly number[],
  gone: (cause: Cause) => boolean,
): readonly { readonly table: string; readonly count: number }[] {
  const left = prepare(database, 'SELECT 1 FROM incident_member WHERE incident = ? LIMIT 1');
  const younger = prepare(database, 'SELECT id FROM incident WHERE merged_into = ?');
  const empty = new Set(incidents.filter((incident) => allRows(left, incident).length === 0));
  // A set that grows while it is gone through.
  for (const incident of empty) for (const [id] of allRows(younger, incident)) empty.add(whole(id));
  const emptied = database.prepare(
    `DELETE FROM incident_cluster AS c WHERE incident = ? AND NOT EXISTS (
       SELECT 1 FROM incident_member m WHERE m.incident = c.incident AND m.cluster = c.cluster)`,
  );
  for (const incident of incidents) emptied.run(incident);
  const tellAnew = openRetelling(database, gone);
  for (const incident of incidents) if (!empty.has(incident)) tellAnew(incident);
  const tables = ['incident_member', 'incident_step', 'incident_key', 'incident_cluster', 'incident'];
  return tables.map((table) => {
    const remove = database.prepare(`DELETE FROM ${table} WHERE ${table === 'incident' ? 'id' : 'incident'} = ?`);
    return { table, count: [...empty].reduce((sum, incident) => sum + Number(remove.run(incident).changes), 0) };
  });
}

function openRetelling(database: DatabaseSync, gone: (cause: Cause) => boolean): (incident: number) => void {
  const dictionary = openDictionary(database);
  const causes = prepare(
    database,
    `SELECT t.id, t.text FROM text t WHERE t.id IN (
       SELECT cause FROM incident_step WHERE incident = ?1 UNION SELECT cause FROM incident WHERE id = ?1)`,
  );
  const stays = prepare(
    database,
    `SELECT t.text FROM incident_member m JOIN text t ON t.id = m.fault WHERE m.incident = ? ORDER BY m.own DESC, m.id LIMIT 1`,
  );
  const tellSteps = database.prepare('UPDATE incident_step SET cause = ? WHERE incident = ? AND cause = ?');
  const tell = database.prepare('UPDATE incident SET cause = ?, cause_type = ? WHERE id = ? AND cause = ?');
  return (incident) => {
    const { cause } = decodeFault(text(oneRow(stays, incident)[0]));
    for (const [id, stored] of allRows(causes, incident)) {
      const told = decodeCause(text(stored));
      if (told === null || !gone(told)) continue;
      const instead = dictionary.text(JSON.stringify(cause));
      tellSteps.run(instead, incident, whole(id));
      tell.run(instead, cause.type, incident, whole(id));
    }
  };
}
