import { createHash } from 'node:crypto';
import type { AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { callsLooked } from '#lib/domain/alarm/alarm-figures.ts';
import type { MeantCall } from '#lib/domain/alarm/called/call-book.ts';
import { meaningOf, type CallMeaning } from '#lib/domain/alarm/called/call-meaning.ts';
import { sourceTimes, type SourceTimes } from '#lib/domain/alarm/called/source-times.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { boundedMap } from '../../../../runtime/bounded-map.ts';
import { decodeLabels } from '../../../codec/alarm/decode-alarms.ts';
import { allRows, firstRow, firstWhole, text, textOrNull, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { alarmCoverageColumns, alarmCoverageOf, readsObjectsOf } from '../../rows/call-row.ts';
import type { Scopes } from '../record/record-scope.ts';

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

/** Reads rows of calls, cut to a period; null where there are more than `callsLooked`. */
function openCallReader(scopes: Scopes): (rows: readonly Row[], period: Period) => readonly StoredCall[] | null {
  const known = boundedMap<string, CallMeaning>(meaningsRemembered);

  function meaning(cluster: string | null, labels: string, reads: unknown): CallMeaning {
    const key = `${String(reads)} ${cluster ?? ''}\n${labels}`;
    const found =
      known.get(key) ?? meaningOf({ cluster, labels: decodeLabels(labels), readsObjects: readsObjectsOf(reads) });
    known.set(key, found);
    return found;
  }

  return (rows, { from, to }) => {
    if (rows.length > callsLooked) return null;
    return rows.map(([id, source, began, until, attributed, labels, reads]) => ({
      id: whole(id),
      source: scopes.sourceName(whole(source)),
      began: whole(began),
      from: Math.max(from, whole(began)),
      to: Math.min(to, wholeOrNull(until) ?? to),
      ended: wholeOrNull(until) ?? Infinity,
      meaning: meaning(textOrNull(attributed), text(labels), reads),
    }));
  };
}

/** Reads calls with what they mean, and the coverage of their sources. */
export function openMeantCalls(scopes: Scopes) {
  const callsOf = openCallReader(scopes);
  const columns = 'id, fact_source, from_at, to_at, attributed, labels, reads_objects';
  const lasting = 'from_at < ?2 AND (to_at IS NULL OR (to_at > ?1 AND to_at > from_at))';
  const within = scopes.statement(
    `SELECT ${columns} FROM alarm_call INDEXED BY alarm_call_from WHERE ${lasting} ORDER BY from_at, id LIMIT ${callsLooked + 1}`,
  );
  const onCluster = scopes.statement(
    `SELECT * FROM (
       SELECT ${columns} FROM alarm_call INDEXED BY alarm_call_cluster WHERE attributed = ?3 AND ${lasting}
       UNION ALL SELECT ${columns} FROM alarm_call INDEXED BY alarm_call_cluster WHERE attributed IS NULL AND ${lasting}
     ) ORDER BY from_at, id LIMIT ${callsLooked + 1}`,
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

  const count = scopes.statement(
    `SELECT COUNT(*) FROM (SELECT 1 FROM alarm_call INDEXED BY alarm_call_from
     WHERE from_at < ?2 AND (to_at IS NULL OR (to_at > ?1 AND to_at > from_at)) LIMIT ${callsLooked + 1})`,
  );
  const written = scopes.statement(
    `SELECT MIN(from_at), group_concat(id || ' ' || fact_source || ' ' || from_at || ' ' || COALESCE(MIN(to_at, ?2), ?2) || ' ' || COALESCE(attributed, '') || ' '
       || COALESCE(reads_objects, '') || ' ' || labels, char(10))
     FROM (SELECT * FROM alarm_call INDEXED BY alarm_call_from
       WHERE from_at < ?2 AND (to_at IS NULL OR (to_at > ?1 AND to_at > from_at)) ORDER BY from_at, to_at, id)`,
  );
  const objects = scopes.statement('SELECT COUNT(*), MAX(id) FROM object');

  return {
    /** True if more calls lasted at some time in a period than are looked at. */
    areTooMany: ({ from, to }: Period): boolean => (firstWhole(count, from, to) ?? 0) > callsLooked,
    /** Begins to tell what calls and sources told in periods before a moment (ms). */
    toldBefore(to: number): (within: Period) => CallsTold {
      const told = allRows(points, to);
      return (within) => {
        const [from, calls] = firstRow(written, within.from, within.to) ?? [];
        const print = createHash('sha256')
          .update(JSON.stringify(pointsOf(told, within)))
          .update(textOrNull(calls ?? null) ?? '')
          .digest('base64url');
        return { print, from: wholeOrNull(from ?? null) ?? within.from };
      };
    },
    /** Another one as soon as an object is there that was not, or is gone. */
    printOfObjects: (): string => (firstRow(objects) ?? []).join(' '),
    /** When sources spoke and could be read in a period; until stored history is made into incidents, root causes are not known. */
    times: (period: Period): SourceTimes => sourceTimes(coverageOf(period), period, firstWhole(upTo)),
    /** Calls that lasted at some time in a period, by when they began; null where there are more than `callsLooked`. */
    within: (period: Period): readonly StoredCall[] | null => callsOf(allRows(within, period.from, period.to), period),
    /** The same of those that may be for an object of a cluster. */
    onCluster: (name: string, period: Period): readonly StoredCall[] | null =>
      callsOf(allRows(onCluster, period.from, period.to, name), period),
  };
}

/** Of points in order those of a period: what was told in it, and of each source last before. */
function pointsOf(points: readonly Row[], { from, to }: Period): readonly Row[] {
  const last = new Map(points.filter(([, at]) => whole(at) <= from).map((row) => [row[0], row]));
  return points.filter((row) => whole(row[1]) < to && (whole(row[1]) > from || last.get(row[0]) === row));
}
