import type { DatabaseSync } from 'node:sqlite';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { afterEnd, afterRecord } from '../../record/absence-rules.ts';
import type { FaultRecord } from '../../record/incident/notes.ts';
import { encodeRange } from '../../codec/range-text.ts';
import { firstRow, milliseconds, millisecondsOrNull, textOrNull, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { absenceColumns, absenceOf } from '../rows/record-rows.ts';
import type { IncidentWriter } from './incidents/incident-writer.ts';

/** Whose absence it is does not matter to its end. */
const nobody: ObjectRef = { cluster: '', group: '', kind: '', namespace: '', name: '' };

function prepareAbsences(database: DatabaseSync) {
  // By when it was written, not by its clock: that of a cluster may be behind.
  const newest = prepare(
    database,
    `SELECT id, ${absenceColumns} FROM absence INDEXED BY absence_once WHERE object = ? ORDER BY id DESC LIMIT 1`,
  );
  const read = prepare(database, 'SELECT text FROM text WHERE id = ?');
  const add = database.prepare(
    `INSERT INTO absence (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason, root_cause, commit_range)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (object, opened_at, uid) DO NOTHING`,
  );
  const same = prepare(database, 'SELECT id FROM absence WHERE object = ? AND opened_at = ? AND uid = ?');
  const change = database.prepare(
    'UPDATE absence SET closed_at = ?, ended = ?, worst = ?, reason = ?, root_cause = ?, commit_range = ? WHERE id = ?',
  );
  const noLater =
    'SET opened_at = MIN(opened_at, ?1), noticed_at = MIN(noticed_at, ?1), closed_at = MIN(closed_at, ?1)';
  const bringBack = database.prepare(
    `UPDATE OR REPLACE absence ${noLater} WHERE object = ?2 AND (noticed_at > ?1 OR closed_at > ?1)`,
  );
  const bringAllBack = database.prepare(
    `UPDATE OR REPLACE absence ${noLater} WHERE id IN
       (SELECT id FROM absence WHERE cluster = ?2 AND (noticed_at > ?1 OR closed_at > ?1) LIMIT ?3)`,
  );
  return { newest, read, add, same, change, bringBack, bringAllBack };
}

/**
 * Writes what the records of objects make of their absences, over an open database, and tells `incidents` of it. Call it within a
 * transaction only, record by record in their order.
 */
export function openAbsenceWriter(database: DatabaseSync, dictionary: Dictionary, incidents: IncidentWriter) {
  const { newest, read, add, same, change, bringBack, bringAllBack } = prepareAbsences(database);

  function textOf(id: number): string {
    return textOrNull(firstRow(read, id)?.[0] ?? null) ?? '';
  }

  function ids({ reason, rootCause, range }: Absence): readonly (number | null)[] {
    return [
      dictionary.text(reason),
      dictionary.textOrNull(rootCause === null ? null : JSON.stringify(rootCause)),
      dictionary.textOrNull(range === null ? null : encodeRange(range)),
    ];
  }

  /** Gives the id of its row; of one that is there already the id of that. */
  function begin(cluster: number, object: number, absence: Absence): number {
    const { uid, openedAt, bound, noticedAt, worst } = absence;
    const { changes, lastInsertRowid } = add.run(
      object,
      cluster,
      uid,
      milliseconds(openedAt),
      bound,
      milliseconds(noticedAt),
      null,
      null,
      worst,
      ...ids(absence),
    );
    return changes === 0 ? whole(firstRow(same, object, milliseconds(openedAt), uid)?.[0]) : Number(lastInsertRowid);
  }

  function rewrite(id: number, absence: Absence): void {
    const { closedAt, ended, worst } = absence;
    change.run(millisecondsOrNull(closedAt), ended, worst, ...ids(absence), id);
  }

  return {
    /** Takes a record that was noticed at `at` (ms). */
    record(cluster: number, object: number, record: FaultRecord, at: number): void {
      const found = firstRow(newest, object);
      const last = found === null ? null : absenceOf(record.ref, found, textOf);
      const next = afterRecord(last, record);
      const absence = next ?? last;
      if (absence === null) return;
      const isSame = found !== null && absence.openedAt === last?.openedAt && absence.uid === last.uid;
      const id = isSame ? whole(found[0]) : begin(cluster, object, absence);
      if (isSame && next !== null) rewrite(id, next);
      if (absence.ended === null) incidents.record({ id, cluster, object }, absence, record, at);
      else if (last?.ended === null) incidents.over({ id, cluster, object }, absence);
    },
    /** The object is gone since `at` (ms). */
    end(cluster: number, object: number, at: number, ended: 'removed' | 'forgotten'): void {
      const found = firstRow(newest, object);
      if (found === null) return;
      const next = afterEnd(absenceOf(nobody, found, textOf), at, ended);
      if (next === null) return;
      const id = whole(found[0]);
      rewrite(id, next);
      incidents.over({ id, cluster, object }, next);
    },
    /** The machine's clock was set back to `at` (ms): of an object nothing was known later than that. */
    setBack: (object: number, at: number): void => void bringBack.run(milliseconds(at), object),
    /** The same of so many absences of a cluster at most. True if that was all. */
    setSomeBack: (cluster: number, at: number, most: number): boolean =>
      Number(bringAllBack.run(milliseconds(at), cluster, most).changes) < most,
  };
}
