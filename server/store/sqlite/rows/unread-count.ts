import type { DatabaseSync } from 'node:sqlite';
import { alarmFormat, tooLargeFormat } from '../../codec/alarm/fact-shapes.ts';
import type { UnreadFacts } from '../../record/alarm/unread-facts.ts';
import { prepare } from '../database.ts';
import { allRows, whole } from './cells.ts';

/** Counts the facts of an alarm source that are left out, over an open database: by an index, where there is mostly none. */
export function openUnreadCount(database: DatabaseSync): (source: number) => UnreadFacts {
  const read = prepare(
    database,
    `SELECT format FROM alarm_fact WHERE fact_source = ?1 AND body IS NOT NULL AND format < ?2
     UNION ALL SELECT format FROM alarm_fact WHERE fact_source = ?1 AND body IS NOT NULL AND format > ?2`,
  );
  return (source) => {
    const formats = allRows(read, source, alarmFormat).map((row) => whole(row[0]));
    const tooLarge = formats.filter((format) => format === tooLargeFormat).length;
    return { tooLarge, foreign: formats.length - tooLarge };
  };
}
