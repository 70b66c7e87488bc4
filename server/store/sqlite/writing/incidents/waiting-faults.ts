import type { DatabaseSync } from 'node:sqlite';
import type { IncidentEnd } from '#lib/domain/incident/incident.ts';
import type { FaultNote, SubjectIds } from '../../../record/incident/book.ts';
import { incidentEndOf } from '../../../codec/incident-words.ts';
import { decodeFault, encodeFault } from '../../../codec/fault-text.ts';
import { openProgress } from '../../housekeeping/work.ts';
import { prepare } from '../../database.ts';
import { allRows, firstRow, milliseconds, oneRow, text, textOrNull, whole, wholeOrNull } from '../../rows/cells.ts';
import type { Dictionary } from '../../rows/dictionary.ts';
import { openNotedSubjects } from './noted-subjects.ts';

/** Works of the housekeeping while stored history is carried over: see the migration. */
export const carriedFrom = 'incidents-from';
export const carriedUpTo = 'incidents-up-to';

/** The turn of what is noticed while stored history is carried over: after all of that. */
const afterAll = Number.MAX_SAFE_INTEGER;

/** A note that waits for its turn. Times in ms since the epoch. */
export interface Waiting {
  readonly type: FaultNote['type'];
  readonly turn: number;
  readonly subject: SubjectIds;
  readonly objects: number;
  readonly at: number;
  readonly since: number;
  /** The id of its text; null where it is over. */
  readonly fault: number | null;
  readonly ended: IncidentEnd | null;
}

/** Prepares the statements over an open database. Call what it gives within a transaction only. */
export function openWaitingFaults(database: DatabaseSync, dictionary: Dictionary) {
  const progress = openProgress(database);
  const subjects = openNotedSubjects(database);
  const textOf = prepare(database, 'SELECT text FROM text WHERE id = ?');
  const insert = database.prepare(
    `INSERT INTO fault_waiting (turn, subject, cluster, object, objects, at, since, fault, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const next = prepare(
    database,
    `SELECT id, turn, subject, cluster, object, objects, at, since, fault, ended
     FROM fault_waiting INDEXED BY fault_waiting_turn ORDER BY turn, id LIMIT ?`,
  );
  const drop = database.prepare('DELETE FROM fault_waiting WHERE id = ?');
  const loss = prepare(
    database,
    `SELECT subject, fault FROM fault_waiting INDEXED BY fault_waiting_loss
     WHERE cluster = ? AND subject < 0 ORDER BY id DESC LIMIT 1`,
  );

  function put(note: FaultNote, turn: number): void {
    const { id, cluster, object } = note.subject;
    const at = milliseconds(note.at);
    if (note.type === 'over') insert.run(turn, id, cluster, object, 0, at, at, null, note.ended);
    else {
      const fault = dictionary.text(encodeFault(note.fault));
      insert.run(turn, id, cluster, object, note.subject.objects, at, milliseconds(note.since), fault, null);
    }
  }

  return {
    /** True while stored history is carried over. */
    isCarrying: (): boolean => progress.has(carriedUpTo),
    /** The last word on whether a cluster is lost: its loss, null where it is over; undefined where none waits. */
    lostOn(cluster: number): number | null | undefined {
      const row = firstRow(loss, cluster);
      return row === null ? undefined : row[1] === null ? null : whole(row[0]);
    },
    /** Has a note of stored history wait by its time. */
    addCarried: (note: FaultNote): void => put(note, milliseconds(note.at)),
    /** Has what is noticed meanwhile wait behind all of it. What was not read yet is read from the record as it is then. */
    add(notes: readonly FaultNote[]): void {
      const from = progress.has(carriedFrom) ? progress.get(carriedFrom) : Infinity;
      for (const note of notes) if (from > 0 && note.subject.id < from) put(note, afterAll);
    },
    /** The next notes in their turn, which wait no longer. */
    take(most: number): readonly Waiting[] {
      return allRows(next, most).map((row) => {
        drop.run(whole(row[0]));
        const fault = wholeOrNull(row[8]);
        return {
          type: fault === null ? 'over' : 'away',
          turn: whole(row[1]),
          subject: { id: whole(row[2]), cluster: whole(row[3]), object: whole(row[4]) },
          objects: whole(row[5]),
          at: whole(row[6]),
          since: whole(row[7]),
          fault,
          ended: incidentEndOf(textOrNull(row[9])),
        };
      });
    },
    /** The note; null where its subject is not kept any more. `objects`: how many it took down. */
    noteOf({ subject, at, since, fault, ended }: Waiting, objects: number): FaultNote | null {
      if (fault === null) return ended && { type: 'over', at, subject, ended };
      const noted = subjects.read(subject, since, objects);
      const told = decodeFault(text(oneRow(textOf, fault)[0]));
      return noted && { type: 'away', at, since, subject: noted, fault: told, planned: false };
    },
  };
}
