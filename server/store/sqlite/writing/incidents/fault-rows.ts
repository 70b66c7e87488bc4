import type { DatabaseSync } from 'node:sqlite';
import { boundOf } from '../../../codec/traits.ts';
import type { FaultLog, Pending, PendingBook } from '../../../record/incident/book.ts';
import { prepare } from '../../database.ts';
import { allRows, firstRow, milliseconds, text, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import type { FaultTexts } from './fault-texts.ts';

/** Prepares the statements over an open database. Call it within a transaction only. */
export function openFaultLog(database: DatabaseSync, texts: FaultTexts, hashOf: (key: string) => number): FaultLog {
  const last = prepare(database, 'SELECT fault, planned FROM fault WHERE subject = ? ORDER BY id DESC LIMIT 1');
  const add = database.prepare(
    `INSERT INTO fault (subject, cluster, object, objects, at, since, planned, fault, ended, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    last(subject) {
      const row = firstRow(last, subject);
      if (row === null) return null;
      const fault = wholeOrNull(row[0]);
      return fault === null ? 'over' : { fault: texts.textOf(fault), planned: row[1] === 1 };
    },
    add(note) {
      const { id, cluster, object } = note.subject;
      const at = milliseconds(note.at);
      if (note.type === 'over') add.run(id, cluster, object, 0, at, at, 0, null, note.ended, null);
      else {
        const { subject, since, planned, fault } = note;
        const its = [subject.objects, at, milliseconds(since), planned ? 1 : 0, texts.idOf(fault)];
        add.run(id, cluster, object, ...its, null, fault.own ? null : hashOf(fault.keys[0] ?? ''));
      }
    },
  };
}

const columns = 'subject, cluster, object, objects, bound, noticed_at, fault, planned, at, since, from_at';

/** Prepares the statements over an open database. Call it within a transaction only. */
export function openPendingFaults(database: DatabaseSync, texts: FaultTexts, hashOf: (key: string) => number) {
  const put = database.prepare(
    `INSERT INTO fault_pending (hash, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const drop = prepare(database, `DELETE FROM fault_pending WHERE subject = ? RETURNING ${columns}`);
  const beneath = prepare(
    database,
    `SELECT ${columns} FROM fault_pending INDEXED BY fault_pending_hash WHERE hash = ? AND planned = 0 ORDER BY subject`,
  );
  const planned = prepare(
    database,
    'SELECT cluster, MIN(at) FROM fault_pending INDEXED BY fault_pending_planned WHERE planned = 1 GROUP BY cluster',
  );
  const plannedOn = prepare(
    database,
    `SELECT ${columns} FROM fault_pending INDEXED BY fault_pending_planned WHERE planned = 1 AND cluster = ? ORDER BY subject`,
  );

  function pendingOf(row: Row): Pending {
    return {
      subject: {
        id: whole(row[0]),
        cluster: whole(row[1]),
        object: whole(row[2]),
        objects: whole(row[3]),
        bound: boundOf(text(row[4])),
        noticedAt: whole(row[5]),
      },
      fault: texts.faultOf(whole(row[6])),
      planned: row[7] === 1,
      at: whole(row[8]),
      since: whole(row[9]),
      from: whole(row[10]),
    };
  }

  const faults: PendingBook = {
    putPending({ subject, fault, planned: byPlan, at, since, from }) {
      const { id, cluster, object, objects, bound, noticedAt } = subject;
      const its = [id, cluster, object, objects, bound, milliseconds(noticedAt)];
      const times = [milliseconds(at), milliseconds(since), milliseconds(from)];
      put.run(hashOf(fault.keys[0] ?? ''), ...its, texts.idOf(fault), byPlan ? 1 : 0, ...times);
    },
    dropPending(subject) {
      const row = firstRow(drop, subject);
      return row === null ? null : pendingOf(row);
    },
    pendingBeneath: (key) => allRows(beneath, hashOf(key)).map(pendingOf),
  };
  return {
    ...faults,
    /** Clusters on which something is away by plan, with the time (ms) at which the first of it was noticed. */
    plannedClusters: () => allRows(planned).map((row) => ({ cluster: whole(row[0]), at: whole(row[1]) })),
    plannedOn: (cluster: number): readonly Pending[] => allRows(plannedOn, cluster).map(pendingOf),
  };
}
