import type { DatabaseSync } from 'node:sqlite';
import { decodeFact, decodeSource } from '../../../codec/alarm/decode-alarms.ts';
import { alarmFormat } from '../../../codec/alarm/fact-shapes.ts';
import type { Change } from '../../../port/port.ts';
import { withUnread } from '../../../record/alarm/unread-facts.ts';
import type { RowPage, SourceRecord } from '../../../record/follow.ts';
import { allRows, firstRow, text, textOrNull, whole, type Row } from '../../rows/cells.ts';
import { prepare } from '../../database.ts';
import { openUnreadCount } from '../../rows/unread-count.ts';

/** Of so many bytes of facts (and at least one fact) is a page: the facts of one may be 4 MB each. */
const largestPage = 8 * 1024 * 1024;

/** Rows of alarm sources that following reads, over an open database. */
export function openAlarmRows(database: DatabaseSync) {
  const unreadOf = openUnreadCount(database);
  const readRecord = prepare(database, 'SELECT record_seq, record FROM alarm_source WHERE fact_source = ?');
  const sizes = prepare(
    database,
    `SELECT seq, octet_length(body) FROM alarm_fact
     WHERE fact_source = ? AND seq > ? AND (body IS NOT NULL OR seq > ?) ORDER BY seq LIMIT ?`,
  );
  const read = prepare(
    database,
    `SELECT seq, type, key, format, body FROM alarm_fact
     WHERE fact_source = ? AND seq > ? AND seq <= ? AND (body IS NOT NULL OR seq > ?) ORDER BY seq`,
  );

  /** Seq of the last row of a page whose rows have these sizes. */
  function endOf(found: readonly Row[]): number {
    let bytes = 0;
    const beyond = found.findIndex((row, place) => {
      bytes += row[1] === null ? 0 : whole(row[1]);
      return place > 0 && bytes > largestPage;
    });
    return whole(found.at(beyond === -1 ? -1 : beyond - 1)?.[0]);
  }

  function changeOf(source: string, row: Row): Change {
    const stored = textOrNull(row[4]);
    const fact = stored === null || whole(row[3]) !== alarmFormat ? null : decodeFact(stored);
    if (fact !== null) return { type: 'alarm-fact', source, fact };
    return { type: 'alarm-fact-removed', source, key: keyOf(row) };
  }

  return {
    record(id: number, name: string): SourceRecord {
      const row = firstRow(readRecord, id);
      const stored = textOrNull(row?.[1] ?? null);
      const seq = row === null ? 0 : whole(row[0]);
      if (stored === null) return { change: { type: 'alarm-source-removed', source: name }, seq, isRemoved: true };
      const source = decodeSource(stored);
      const change: Change | null =
        source === null ? null : { type: 'alarm-source', source: withUnread(source, unreadOf(id)) };
      return { change, seq, isRemoved: false };
    },
    /** A fact that does not read stands as one that is gone. */
    rows(id: number, name: string, after: number, floor: number, limit: number): RowPage {
      const found = allRows(sizes, id, after, floor, limit);
      if (found.length === 0) return { rows: [], more: false };
      const end = endOf(found);
      const rows = allRows(read, id, after, end, floor).map((row) => ({
        seq: whole(row[0]),
        change: changeOf(name, row),
      }));
      return { rows, more: found.length === limit || end < whole(found.at(-1)?.[0]) };
    },
  };
}

function keyOf(row: Row): string {
  return `${text(row[1])}/${text(row[2])}`;
}
