import type { DatabaseSync } from 'node:sqlite';
import { boundOf } from '../../../codec/traits.ts';
import type { NotedSubject, SubjectIds } from '../../../record/incident/book.ts';
import { subjectOfAbsence, subjectOfLoss } from '../../../record/incident/notes.ts';
import { prepare } from '../../database.ts';
import { firstRow, oneRow, text, whole } from '../../rows/cells.ts';
import { groupAndKind } from '../../rows/kind-reader.ts';

/** Prepares the statements over an open database. */
export function openNotedSubjects(database: DatabaseSync) {
  const absence = prepare(
    database,
    `SELECT a.uid, a.opened_at, a.bound, a.noticed_at, s.name, k.text, n.text, o.name
     FROM absence a JOIN object o ON o.id = a.object JOIN fact_source s ON s.id = a.cluster
     JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace WHERE a.id = ?`,
  );
  const source = prepare(database, 'SELECT name FROM fact_source WHERE id = ?');

  return {
    /**
     * A subject by its ids; null where it is not kept any more. Of a loss `since` (ms) tells when it began, and `objects` how many were
     * known of its cluster.
     */
    read({ id, cluster, object }: SubjectIds, since: number, objects: number): NotedSubject | null {
      if (id < 0) return subjectOfLoss({ id: -id, cluster, objects }, text(oneRow(source, cluster)[0]), since);
      const row = firstRow(absence, id);
      if (row === null) return null;
      const ref = { cluster: text(row[4]), ...groupAndKind(text(row[5])), namespace: text(row[6]), name: text(row[7]) };
      const times = { openedAt: whole(row[1]), bound: boundOf(text(row[2])), noticedAt: whole(row[3]) };
      return subjectOfAbsence({ id, cluster, object, absence: { ref, uid: text(row[0]), ...times } });
    },
  };
}
