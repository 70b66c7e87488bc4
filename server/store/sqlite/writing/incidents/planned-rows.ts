import type { DatabaseSync } from 'node:sqlite';
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import { replanned, type PlannedWindow } from '../../../record/incident/planned.ts';
import { prepare } from '../../database.ts';
import { allRows, milliseconds, text, whole } from '../../rows/cells.ts';

interface StoredWindow extends PlannedWindow {
  readonly id: number;
}

/** Prepares the statements over an open database. Call it within a transaction only. */
export function openPlannedRows(database: DatabaseSync) {
  const read = prepare(
    database,
    'SELECT id, from_at, until_at, reason FROM planned_work WHERE cluster = ? ORDER BY id',
  );
  const add = database.prepare('INSERT INTO planned_work (cluster, from_at, until_at, reason) VALUES (?, ?, ?, ?)');
  const withdraw = database.prepare('UPDATE planned_work SET until_at = ? WHERE id = ?');
  let known = new Map<number, readonly StoredWindow[]>();

  function windows(cluster: number): readonly StoredWindow[] {
    const found = known.get(cluster);
    if (found !== undefined) return found;
    const rows = allRows(read, cluster);
    const stored = rows.map(([id, from, until, reason]) => ({
      id: whole(id),
      from: whole(from),
      until: whole(until),
      reason: text(reason),
    }));
    known.set(cluster, stored);
    return stored;
  }

  return {
    windows,
    /** A batch begins. */
    begin: () => void (known = new Map()),
    /** Takes what is planned on a cluster as it is configured at `at` (ms). */
    plan(cluster: number, configured: readonly PlannedWork[], at: number): void {
      const { withdrawn, begun } = replanned(windows(cluster), configured, at);
      for (const { id } of withdrawn) withdraw.run(milliseconds(at), id);
      for (const { from, until, reason } of begun) add.run(cluster, milliseconds(from), milliseconds(until), reason);
      known.delete(cluster);
    },
  };
}
