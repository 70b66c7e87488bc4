import type { DatabaseSync } from 'node:sqlite';
import type { EncodedFact } from '../../../codec/alarm/encoded-alarms.ts';
import { alarmFormat, tooLargeFormat } from '../../../codec/alarm/fact-shapes.ts';
import { allRows, whole } from '../../rows/cells.ts';
import { prepare } from '../../database.ts';

/** Counter of one alarm source while a batch is being written. */
export interface AlarmSequence {
  readonly source: number;
  seq: number;
}

/** Writes the facts of alarm sources over an open database. Call it within a transaction only. */
export function openFactRows(database: DatabaseSync) {
  const write = database.prepare(
    `INSERT INTO alarm_fact (fact_source, type, key, seq, format, body) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (fact_source, type, key) DO UPDATE SET seq = excluded.seq, format = excluded.format, body = excluded.body
     WHERE body IS NOT excluded.body OR format <> excluded.format`,
  );
  const end = database.prepare(
    `UPDATE alarm_fact SET seq = ?, body = NULL WHERE fact_source = ? AND type = ? AND key = ? AND body IS NOT NULL`,
  );
  const endById = database.prepare('UPDATE alarm_fact SET seq = ?, body = NULL WHERE id = ?');
  const living = prepare(
    database,
    'SELECT id FROM alarm_fact WHERE fact_source = ? AND body IS NOT NULL ORDER BY format, id',
  );
  const foreign = prepare(
    database,
    `SELECT id FROM alarm_fact WHERE fact_source = ?1 AND body IS NOT NULL AND format > ?2
     UNION ALL SELECT id FROM alarm_fact WHERE fact_source = ?1 AND body IS NOT NULL AND format < ?2 AND format <> ${tooLargeFormat}`,
  );

  /** Puts tombstones in place of rows. */
  function bury(sequence: AlarmSequence, rows: readonly (readonly unknown[])[]): void {
    for (const row of rows) endById.run(++sequence.seq, whole(row[0]));
  }

  return {
    /** Writes a fact; one that is the same as before stays as it is. */
    put(sequence: AlarmSequence, { type, key, body }: EncodedFact): void {
      const format = body === null ? tooLargeFormat : alarmFormat;
      const { changes } = write.run(sequence.source, type, key, sequence.seq + 1, format, body ?? '');
      if (changes !== 0) sequence.seq += 1;
    },
    /** `key`: as `factKey` gives it. */
    remove(sequence: AlarmSequence, key: string): void {
      const cut = key.indexOf('/');
      const { changes } = end.run(sequence.seq + 1, sequence.source, key.slice(0, cut), key.slice(cut + 1));
      if (changes !== 0) sequence.seq += 1;
    },
    removeAll: (sequence: AlarmSequence): void => bury(sequence, allRows(living, sequence.source)),
    /** Removes facts that another version wrote: they are put anew as they are read. */
    removeForeign: (sequence: AlarmSequence): void => bury(sequence, allRows(foreign, sequence.source, alarmFormat)),
  };
}
