import type { DatabaseSync } from 'node:sqlite';
import type { Incident } from '#lib/domain/record/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { afterEnd, afterRecord, type AwayRecord } from '../../record/incident-rules.ts';
import { encodeRange } from '../../codec/range-text.ts';
import { firstRow, milliseconds, millisecondsOrNull, textOrNull, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { incidentColumns, incidentOf } from '../rows/record-rows.ts';

/** Whose incident it is does not matter to its end. */
const nobody: ObjectRef = { cluster: '', group: '', kind: '', namespace: '', name: '' };

/** Writes what the records of objects make of their incidents, over an open database. Call it within a transaction only, record by record in their order. */
export function openIncidentWriter(database: DatabaseSync, dictionary: Dictionary) {
  // By when it was written, not by its clock: that of a cluster may be behind.
  const newest = prepare(
    database,
    `SELECT id, ${incidentColumns} FROM incident INDEXED BY incident_once WHERE object = ? ORDER BY id DESC LIMIT 1`,
  );
  const read = prepare(database, 'SELECT text FROM text WHERE id = ?');
  const add = database.prepare(
    `INSERT INTO incident (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason, root_cause, commit_range)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (object, opened_at, uid) DO NOTHING`,
  );
  const change = database.prepare(
    'UPDATE incident SET closed_at = ?, ended = ?, worst = ?, reason = ?, root_cause = ?, commit_range = ? WHERE id = ?',
  );
  const noLater =
    'SET opened_at = MIN(opened_at, ?1), noticed_at = MIN(noticed_at, ?1), closed_at = MIN(closed_at, ?1)';
  const bringBack = database.prepare(
    `UPDATE OR REPLACE incident ${noLater} WHERE object = ?2 AND (noticed_at > ?1 OR closed_at > ?1)`,
  );
  const bringAllBack = database.prepare(
    `UPDATE OR REPLACE incident ${noLater} WHERE cluster = ?2 AND (noticed_at > ?1 OR closed_at > ?1)`,
  );

  function textOf(id: number): string {
    return textOrNull(firstRow(read, id)?.[0] ?? null) ?? '';
  }

  function ids({ reason, rootCause, range }: Incident): readonly (number | null)[] {
    return [
      dictionary.text(reason),
      dictionary.textOrNull(rootCause === null ? null : JSON.stringify(rootCause)),
      dictionary.textOrNull(range === null ? null : encodeRange(range)),
    ];
  }

  function begin(cluster: number, object: number, incident: Incident): void {
    const { uid, openedAt, bound, noticedAt, worst } = incident;
    add.run(
      object,
      cluster,
      uid,
      milliseconds(openedAt),
      bound,
      milliseconds(noticedAt),
      null,
      null,
      worst,
      ...ids(incident),
    );
  }

  function rewrite(id: number, incident: Incident): void {
    const { closedAt, ended, worst } = incident;
    change.run(millisecondsOrNull(closedAt), ended, worst, ...ids(incident), id);
  }

  return {
    /** Takes a record. */
    record(cluster: number, object: number, record: AwayRecord): void {
      const found = firstRow(newest, object);
      const last = found === null ? null : incidentOf(record.ref, found, textOf);
      const next = afterRecord(last, record);
      if (next === null) return;
      if (found === null || next.openedAt !== last?.openedAt || next.uid !== last.uid) begin(cluster, object, next);
      else rewrite(whole(found[0]), next);
    },
    /** The object is gone since `at` (ms). */
    end(object: number, at: number, ended: 'removed' | 'forgotten'): void {
      const found = firstRow(newest, object);
      if (found === null) return;
      const next = afterEnd(incidentOf(nobody, found, textOf), at, ended);
      if (next !== null) rewrite(whole(found[0]), next);
    },
    /** The machine's clock was set back to `at` (ms): of an object nothing was known later than that. */
    setBack: (object: number, at: number): void => void bringBack.run(milliseconds(at), object),
    setAllBack: (cluster: number, at: number): void => void bringAllBack.run(milliseconds(at), cluster),
  };
}
