import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { decodeLabels, decodeNames } from '../../codec/alarm/decode-alarms.ts';
import { text, textOrNull, whole, wholeOrNull, type Cell, type Row } from './cells.ts';

/** The columns of a call, in the order that `callOf` reads; the table is called `c`. */
export const callColumns =
  'c.key, c.alert, c.labels, c.attributed, c.receivers, c.starts_at, c.from_at, c.to_at, c.fact_source, c.id, c.reads_objects';

/** The call in a row whose columns are `callColumns`. */
export function callOf(source: string, row: Row): AlarmCall {
  return {
    source,
    key: text(row[0]),
    alert: text(row[1]),
    labels: decodeLabels(text(row[2])),
    cluster: textOrNull(row[3]),
    receivers: decodeNames(text(row[4])),
    readsObjects: readsObjectsOf(row[10]),
    startsAt: whole(row[5]),
    from: whole(row[6]),
    to: wholeOrNull(row[7]),
  };
}

/** The column `reads_objects`: true if the rule of a call does, null where that is not known. */
export function readsObjectsOf(cell: Cell): boolean | null {
  return cell === null ? null : cell === 1;
}

/** The columns of coverage of alarm sources, in the order that `alarmCoverageOf` reads; the table is called `l`. */
export const alarmCoverageColumns = 'l.fact_source, l.at, l.read, l.clusters, l.reason, l.id';

/** The coverage in a row whose columns are `alarmCoverageColumns`. */
export function alarmCoverageOf(source: string, row: Row): AlarmCoverage {
  return {
    source,
    at: whole(row[1]),
    read: row[2] === 1,
    clusters: decodeNames(text(row[3])),
    reason: textOrNull(row[4]),
  };
}
