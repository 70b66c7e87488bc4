import type { DatabaseSync } from 'node:sqlite';
import type { CoverageChange } from '../../port/port.ts';
import type { FaultNote } from '../../record/incident/book.ts';
import { noteOfCoverage } from '../../record/incident/notes.ts';
import { prepare } from '../database.ts';
import { allRows, text, whole } from '../rows/cells.ts';

/**
 * Reads which clusters were lost from the coverage that is stored: gives its notes in the order in which it was written. How many objects
 * each took down is left at 0.
 */
export function openCarriedLosses(database: DatabaseSync): () => readonly FaultNote[] {
  const changes = prepare(
    database,
    `SELECT c.id, c.cluster, s.name, c.at, c.observed, c.state FROM coverage c JOIN fact_source s ON s.id = c.cluster
     WHERE c.kind = 0 ORDER BY c.id`,
  );
  return () => {
    const lost = new Map<number, number>();
    const notes: FaultNote[] = [];
    for (const [id, of, name, at, observed, state] of allRows(changes)) {
      const cluster = whole(of);
      const change: CoverageChange = {
        cluster: text(name),
        kind: null,
        at: whole(at),
        observed: observed === 1,
        state: text(state),
        reason: null,
      };
      const note = noteOfCoverage(change, { id: whole(id), cluster, objects: 0 }, lost.get(cluster) ?? null);
      if (note === null) continue;
      if (note.type === 'away') lost.set(cluster, note.subject.id);
      else lost.delete(cluster);
      notes.push(note);
    }
    return notes;
  };
}
