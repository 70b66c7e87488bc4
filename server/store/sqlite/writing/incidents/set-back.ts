import type { DatabaseSync } from 'node:sqlite';
import { milliseconds } from '../../rows/cells.ts';

/** Bringing incidents back with a clock: of a cluster nothing was noticed later than `at` (ms). Call it within a transaction only. */
export interface IncidentSetBack {
  /** Brings back about `most` causes, members and incidents each. True if that was all of these. */
  some(cluster: number, at: number, most: number): boolean;
  /** Brings back all. */
  all(cluster: number, at: number): void;
}

const earlier = (...columns: string[]): string => columns.map((column) => `${column} = MIN(${column}, ?1)`).join(', ');
const times = earlier('opened_at', 'noticed_at', 'closed_at');
const memberTimes = ['noticed_at', 'from_at', 'joined_at', 'fault_at', 'to_at'];

const faults = `UPDATE fault SET ${earlier('at', 'since')}`;
const members = `UPDATE incident_member SET ${earlier(...memberTimes)}`;

/** Of incidents that changed later, as a query; they are among these until their own row is brought back, which is done last. */
function ofIncidents(incidents: string): readonly string[] {
  return [
    `${members} WHERE cluster = ?2 AND incident IN ${incidents} AND (${memberTimes.map((column) => `${column} > ?1`).join(' OR ')})`,
    `UPDATE incident_step SET ${times}, ${earlier('at')} WHERE at > ?1 AND incident IN ${incidents}`,
    `UPDATE incident SET ${times}, ${earlier('merged_at', 'changed_at', 'grown_at', 'left_at')} WHERE id IN ${incidents}`,
  ];
}

/** Prepares the statements over an open database. */
export function openIncidentSetBack(database: DatabaseSync): IncidentSetBack {
  const later = `SELECT i.id FROM incident_cluster c JOIN incident i ON i.id = c.incident WHERE c.cluster = ?2 AND i.changed_at > ?1`;
  const prepared = (sql: readonly string[]) => sql.map((one) => database.prepare(one));
  const somewhere = prepared([
    `${faults} WHERE id IN (SELECT id FROM fault INDEXED BY fault_at WHERE at > ?1 AND cluster = ?2 LIMIT ?3)`,
    `${members} WHERE id IN (SELECT id FROM incident_member INDEXED BY incident_member_fault WHERE fault_at > ?1 AND cluster = ?2 LIMIT ?3)`,
  ]);
  const someIncidents = prepared(ofIncidents(`(${later} ORDER BY i.id LIMIT ?3)`));
  const everything = prepared([
    `${faults} WHERE at > ?1 AND cluster = ?2`,
    `UPDATE fault_waiting SET ${earlier('at', 'since')} WHERE at > ?1 AND cluster = ?2`,
    `UPDATE fault_pending SET ${earlier('at', 'since', 'from_at')} WHERE cluster = ?2`,
    `UPDATE incident_cluster SET ${earlier('joined_at')} WHERE cluster = ?2`,
    ...ofIncidents(`(${later})`),
  ]);
  return {
    some(cluster, at, most) {
      const isMore = somewhere.some(
        (statement) => Number(statement.run(milliseconds(at), cluster, most).changes) === most,
      );
      if (isMore) return false;
      const changed = someIncidents.map((statement) => statement.run(milliseconds(at), cluster, most).changes);
      return Number(changed.at(-1) ?? 0) < most;
    },
    all(cluster, at) {
      for (const statement of everything) statement.run(milliseconds(at), cluster);
    },
  };
}
