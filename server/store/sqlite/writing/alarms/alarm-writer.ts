import type { DatabaseSync } from 'node:sqlite';
import { notConfigured } from '#lib/domain/alarm/call.ts';
import type { EncodedAlarms } from '../../../codec/alarm/encoded-alarms.ts';
import { sourceKey, type FactSource } from '../../../port/port.ts';
import { firstRow, textOrNull, whole } from '../../rows/cells.ts';
import { prepare } from '../../database.ts';
import type { Dictionary } from '../../rows/dictionary.ts';
import { openUnreadCount } from '../../rows/unread-count.ts';
import { openCallRows } from './call-rows.ts';
import { openFactRows, type AlarmSequence } from './fact-rows.ts';

/** Writes what belongs to one alarm source. Every call must be within a transaction that has checked the lease. */
export interface AlarmWriter {
  /** Writes a batch in the order removed, put, the source's own record, then what is append-only. */
  write(source: FactSource<'alarm-source'>, batch: EncodedAlarms): void;
  /** Turns the source and its facts into tombstones; its calls that last end at `at` (ms), and what is append-only stays. */
  forget(source: FactSource<'alarm-source'>, at: number): void;
}

/** Prepares the statements over an open database. */
export function openAlarmWriter(database: DatabaseSync, dictionary: Dictionary): AlarmWriter {
  const facts = openFactRows(database);
  const calls = openCallRows(database);
  const unreadOf = openUnreadCount(database);
  const readSeq = prepare(database, 'SELECT seq FROM fact_source WHERE id = ?');
  const writeSeq = database.prepare('UPDATE fact_source SET seq = ? WHERE id = ?');
  const readRecord = prepare(database, 'SELECT record FROM alarm_source WHERE fact_source = ?');
  const writeRecord = database.prepare(
    `INSERT INTO alarm_source (fact_source, record_seq, record) VALUES (?, ?, ?)
     ON CONFLICT (fact_source) DO UPDATE SET record_seq = excluded.record_seq, record = excluded.record`,
  );

  function within(source: FactSource<'alarm-source'>, task: (sequence: AlarmSequence) => void): void {
    const id = dictionary.source(source);
    const row = firstRow(readSeq, id);
    if (row === null) throw new Error(`the store has no sequence of ${sourceKey(source)}`);
    const sequence: AlarmSequence = { source: id, seq: whole(row[0]) };
    task(sequence);
    writeSeq.run(sequence.seq, id);
  }

  function putRecord(sequence: AlarmSequence, record: string | null): void {
    writeRecord.run(sequence.source, ++sequence.seq, record);
  }

  return {
    write(source, batch) {
      within(source, (sequence) => {
        const before = unreadOf(sequence.source);
        facts.removeForeign(sequence);
        for (const key of batch.removed) facts.remove(sequence, key);
        for (const fact of batch.put) facts.put(sequence, fact);
        const stored = textOrNull(firstRow(readRecord, sequence.source)?.[0] ?? null);
        const record = batch.source ?? stored;
        const { tooLarge, foreign } = unreadOf(sequence.source);
        const isAsBefore = record === stored && tooLarge === before.tooLarge && foreign === before.foreign;
        // What is left out is told with the record.
        if (record !== null && !isAsBefore) putRecord(sequence, record);
        for (const call of batch.calls) calls.put(sequence.source, call);
        for (const point of batch.coverage) calls.cover(sequence.source, point);
      });
    },
    forget(source, at) {
      within(source, (sequence) => {
        facts.removeAll(sequence);
        putRecord(sequence, null);
        calls.end(sequence.source, at, notConfigured);
      });
    },
  };
}
