import { createHash } from 'node:crypto';
import type { AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { callsLooked } from '#lib/domain/alarm/alarm-figures.ts';
import type { MeantCall } from '#lib/domain/alarm/called/call-book.ts';
import { noneLeftOut, type LeftOut } from '#lib/domain/alarm/called/left-out.ts';
import { meaningOf, type CallMeaning } from '#lib/domain/alarm/called/call-meaning.ts';
import { sourceTimes, type SourceTimes } from '#lib/domain/alarm/called/source-times.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { boundedMap } from '../../../../runtime/bounded-map.ts';
import { decodeLabels } from '../../../codec/alarm/decode-alarms.ts';
import { allRows, firstRow, firstWhole, text, textOrNull, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { alarmCoverageColumns, alarmCoverageOf, readsObjectsOf } from '../../rows/call-row.ts';
import type { Scopes } from '../record/record-scope.ts';
import { lasting, openLeftOutCalls, type LeftOutCalls } from './left-out-calls.ts';

/** A call of the store with what it means. */
export interface StoredCall extends MeantCall {
  readonly id: number;
  /** When it began; `from` is that, cut to the period that is asked for. */
  readonly began: number;
  /** When it ended; Infinity while it lasts. */
  readonly ended: number;
}

/** Reads calls with what they mean. */
export type MeantCalls = ReturnType<typeof openMeantCalls>;

/** Word of calls and sources on a period. */
export interface CallsTold {
  /** All of it in short: another one as soon as any of it is written anew or removed. */
  readonly print: string;
  /** When the first of the calls began (ms), which may be before the period; its beginning where there are none. */
  readonly from: number;
}

const meaningsRemembered = 50_000;

/** Reads rows of calls, cut to a period. */
function openCallReader(scopes: Scopes): (rows: readonly Row[], period: Period) => readonly StoredCall[] {
  const known = boundedMap<string, CallMeaning>(meaningsRemembered);

  function meaning(cluster: string | null, labels: string, reads: unknown): CallMeaning {
    const key = `${String(reads)} ${cluster ?? ''}\n${labels}`;
    const found =
      known.get(key) ?? meaningOf({ cluster, labels: decodeLabels(labels), readsObjects: readsObjectsOf(reads) });
    known.set(key, found);
    return found;
  }

  return (rows, { from, to }) =>
    rows.map(([id, source, began, until, attributed, labels, reads]) => ({
      id: whole(id),
      source: scopes.sourceName(whole(source)),
      began: whole(began),
      from: Math.max(from, whole(began)),
      to: Math.min(to, wholeOrNull(until) ?? to),
      ended: wholeOrNull(until) ?? Infinity,
      meaning: meaning(textOrNull(attributed), text(labels), reads),
    }));
}

/** Rows of calls that lasted at some time from ?1 to ?2, of all sources, and of those whose ids are in ?3. */
const rowsOf = {
  all: `alarm_call INDEXED BY alarm_call_from WHERE ${lasting}`,
  some: `json_each(?3) s CROSS JOIN alarm_call INDEXED BY alarm_call_source ON fact_source = s.value WHERE ${lasting}`,
} as const;

/** Reads calls with what they mean, and the coverage of their sources: `most` calls for one question, of the sources that have the fewest. */
export function openMeantCalls(scopes: Scopes, most = callsLooked) {
  const callsOf = openCallReader(scopes);
  const { areAllRead, leftOut } = openLeftOutCalls(scopes, most);
  const columns = 'alarm_call.id, fact_source, from_at, to_at, attributed, labels, reads_objects';
  const within = read(rowsOf, (rows) => `SELECT ${columns} FROM ${rows} ORDER BY from_at, alarm_call.id`);
  const onCluster = scopes.statement(
    `SELECT * FROM (
       SELECT ${columns} FROM alarm_call INDEXED BY alarm_call_cluster WHERE attributed = ?3 AND ${lasting}
       UNION ALL SELECT ${columns} FROM alarm_call INDEXED BY alarm_call_cluster WHERE attributed IS NULL AND ${lasting}
     ) ORDER BY from_at, id LIMIT ?4`,
  );
  const points = scopes.statement(
    `SELECT ${alarmCoverageColumns} FROM alarm_coverage l WHERE at < ? ORDER BY l.at, l.id`,
  );

  /** Coverage of a period, in order, with the last word of each source before it. */
  function coverageOf(period: Period): readonly AlarmCoverage[] {
    const its = pointsOf(allRows(points, period.to), period);
    return its.map((row) => alarmCoverageOf(scopes.sourceName(whole(row[0])), row));
  }

  const upTo = scopes.statement("SELECT place FROM housekeeping WHERE work = 'incidents-up-to'");

  const written = read(
    rowsOf,
    (rows) =>
      `SELECT MIN(from_at), group_concat(id || ' ' || fact_source || ' ' || from_at || ' ' || COALESCE(MIN(to_at, ?2), ?2) || ' ' || COALESCE(attributed, '') || ' '
         || COALESCE(reads_objects, '') || ' ' || labels, char(10))
       FROM (SELECT alarm_call.* FROM ${rows} ORDER BY from_at, to_at, alarm_call.id)`,
  );
  const objects = scopes.statement('SELECT COUNT(*), MAX(id) FROM object');

  /** Rows of a question: of all sources, or of those that are read. */
  function read(from: typeof rowsOf, question: (rows: string) => string) {
    const [all, some] = [scopes.statement(question(from.all)), scopes.statement(question(from.some))];
    return (period: Period, { read: ids }: LeftOutCalls): readonly Row[] =>
      ids === null ? allRows(all, period.from, period.to) : allRows(some, period.from, period.to, ids);
  }

  return {
    /** True if all calls of a period are looked at. */
    areAllRead,
    /** Sources whose calls in a period are not. */
    leftOut,
    /** Begins to tell what calls and sources told in periods before a moment (ms). */
    toldBefore(to: number, left: LeftOutCalls): (within: Period) => CallsTold {
      const told = allRows(points, to);
      return (within) => {
        const [from, calls] = written(within, left)[0] ?? [];
        const print = createHash('sha256')
          .update(JSON.stringify([pointsOf(told, within), leftOutOf(left, within)]))
          .update(textOrNull(calls ?? null) ?? '')
          .digest('base64url');
        return { print, from: wholeOrNull(from ?? null) ?? within.from };
      };
    },
    /** Another one as soon as an object is there that was not, or is gone. */
    printOfObjects: (): string => (firstRow(objects) ?? []).join(' '),
    /** When sources spoke and could be read in a period; until stored history is made into incidents, root causes are not known. */
    times: (period: Period, left: LeftOut = noneLeftOut): SourceTimes =>
      sourceTimes(coverageOf(period), period, firstWhole(upTo), left),
    /** Calls that lasted at some time in a period, by when they began, but for those of sources that are left out. */
    within: (period: Period, left: LeftOutCalls): readonly StoredCall[] => callsOf(within(period, left), period),
    /** Those that may be for an object of a cluster; null where there are more than `mostOnCluster`. */
    onCluster(name: string, period: Period, mostOnCluster: number): readonly StoredCall[] | null {
      const rows = allRows(onCluster, period.from, period.to, name, mostOnCluster + 1);
      return rows.length > mostOnCluster ? null : callsOf(rows, period);
    },
  };
}

/** All that is told in a period of sources that are left out: their calls may go on behind it. */
function leftOutOf({ sources, heard }: LeftOut, within: Period): readonly (string | number)[] {
  const during = heard.filter(({ from, to }) => from < within.to && to > within.from);
  return [
    ...sources.map(({ source }) => source),
    ...during.flatMap(({ source, cluster, from, to }) => [
      ...[source, cluster, Math.max(from, within.from), Math.min(to, within.to)],
    ]),
  ];
}

/** Of points in order those of a period: what was told in it, and of each source last before. */
function pointsOf(points: readonly Row[], { from, to }: Period): readonly Row[] {
  const last = new Map(points.filter(([, at]) => whole(at) <= from).map((row) => [row[0], row]));
  return points.filter((row) => whole(row[1]) < to && (whole(row[1]) > from || last.get(row[0]) === row));
}
