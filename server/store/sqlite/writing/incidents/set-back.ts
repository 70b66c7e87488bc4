import type { DatabaseSync } from 'node:sqlite';
import { milliseconds } from '../../rows/cells.ts';

/** Prepares bringing incidents back with a clock: of a cluster nothing was noticed later than `at` (ms). Call it within a transaction only. */
export function openIncidentSetBack(database: DatabaseSync): (cluster: number, at: number) => void {
  const incidents = `(SELECT i.id FROM incident_cluster c JOIN incident i ON i.id = c.incident WHERE c.cluster = ?2 AND i.changed_at > ?1)`;
  const earlier = (...columns: string[]): string =>
    columns.map((column) => `${column} = MIN(${column}, ?1)`).join(', ');
  const times = earlier('opened_at', 'noticed_at', 'closed_at');
  const statements = [
    `UPDATE fault SET ${earlier('at', 'since')} WHERE at > ?1 AND cluster = ?2`,
    `UPDATE fault_waiting SET ${earlier('at', 'since')} WHERE at > ?1 AND cluster = ?2`,
    `UPDATE fault_pending SET ${earlier('at', 'since', 'from_at')} WHERE cluster = ?2`,
    `UPDATE incident_member SET ${earlier('noticed_at', 'from_at', 'joined_at', 'fault_at', 'to_at')}
     WHERE cluster = ?2 AND incident IN ${incidents}`,
    `UPDATE incident_cluster SET ${earlier('joined_at')} WHERE cluster = ?2`,
    `UPDATE incident_step SET ${times}, ${earlier('at')} WHERE at > ?1 AND incident IN ${incidents}`,
    `UPDATE incident SET ${times}, ${earlier('merged_at', 'changed_at', 'grown_at', 'left_at')} WHERE id IN ${incidents}`,
  ].map((sql) => database.prepare(sql));
  return (cluster, at) => {
    for (const statement of statements) statement.run(milliseconds(at), cluster);
  };
}
