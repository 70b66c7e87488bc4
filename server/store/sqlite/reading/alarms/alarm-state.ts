import type { StoredAlarms } from '../../../port/alarm-batch.ts';
import type { DatabaseSync } from 'node:sqlite';
import { decodeFact, decodeSource } from '../../../codec/alarm/decode-alarms.ts';
import { alarmFormat } from '../../../codec/alarm/fact-shapes.ts';
import { allRows, firstRow, text, textOrNull, whole } from '../../rows/cells.ts';
import { callColumns, callOf } from '../../rows/call-row.ts';
import { prepare } from '../../database.ts';

/** Reads back what was last written of one alarm source, facts in the order in which they were. */
export function openAlarmState(database: DatabaseSync): (source: string) => StoredAlarms {
  const find = prepare(
    database,
    `SELECT s.id, a.record FROM fact_source s LEFT JOIN alarm_source a ON a.fact_source = s.id
     WHERE s.type = 'alarm-source' AND s.name = ?`,
  );
  const facts = prepare(
    database,
    'SELECT body FROM alarm_fact WHERE fact_source = ? AND format = ? AND body IS NOT NULL ORDER BY seq',
  );
  const open = prepare(
    database,
    `SELECT ${callColumns} FROM alarm_call c WHERE c.fact_source = ? AND c.to_at IS NULL ORDER BY c.id`,
  );
  return (source) => {
    const row = firstRow(find, source);
    if (row === null) return { source: null, facts: [], openCalls: [] };
    const id = whole(row[0]);
    const record = textOrNull(row[1]);
    return {
      source: record === null ? null : decodeSource(record),
      facts: allRows(facts, id, alarmFormat).flatMap(([body]) => decodeFact(text(body)) ?? []),
      openCalls: allRows(open, id).map((call) => callOf(source, call)),
    };
  };
}
