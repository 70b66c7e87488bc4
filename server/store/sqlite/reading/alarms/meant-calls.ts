import type { AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { callsLooked } from '#lib/domain/alarm/alarm-figures.ts';
import type { MeantCall } from '#lib/domain/alarm/called/call-book.ts';
import { meaningOf, type CallMeaning } from '#lib/domain/alarm/called/call-meaning.ts';
import { sourceTimes, type SourceTimes } from '#lib/domain/alarm/called/source-times.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { boundedMap } from '../../../../runtime/bounded-map.ts';
import { decodeLabels } from '../../../codec/alarm/decode-alarms.ts';
import { allRows, firstWhole, text, textOrNull, whole, wholeOrNull } from '../../rows/cells.ts';
import { alarmCoverageColumns, alarmCoverageOf, readsObjectsOf } from '../../rows/call-row.ts';
import type { Scopes } from '../record/record-scope.ts';

/** A call of the store with what it means. */
export interface StoredCall extends MeantCall {
  readonly id: number;
  /** When it began; `from` is that, cut to the period that is asked for. */
  readonly began: number;
}

const meaningsRemembered = 50_000;

/** Reads calls with what they mean, and the coverage of their sources. */
export function openMeantCalls(scopes: Scopes) {
  const known = boundedMap<string, CallMeaning>(meaningsRemembered);
  const within = scopes.statement(
    `SELECT id, fact_source, from_at, to_at, attributed, labels, reads_objects FROM alarm_call INDEXED BY alarm_call_from
     WHERE from_at < ?2 AND (to_at IS NULL OR (to_at > ?1 AND to_at > from_at)) ORDER BY from_at, id LIMIT ${callsLooked + 1}`,
  );
  const points = scopes.statement(
    `SELECT ${alarmCoverageColumns} FROM alarm_coverage l WHERE at < ? ORDER BY l.at, l.id`,
  );

  /** Coverage before a moment (ms), in order. */
  function coverageBefore(before: number): readonly AlarmCoverage[] {
    return allRows(points, before).map((row) => alarmCoverageOf(scopes.sourceName(whole(row[0])), row));
  }

  function meaning(cluster: string | null, labels: string, reads: unknown): CallMeaning {
    const key = `${String(reads)} ${cluster ?? ''}\n${labels}`;
    const found =
      known.get(key) ?? meaningOf({ cluster, labels: decodeLabels(labels), readsObjects: readsObjectsOf(reads) });
    known.set(key, found);
    return found;
  }

  const upTo = scopes.statement("SELECT place FROM housekeeping WHERE work = 'incidents-up-to'");

  return {
    /** When sources spoke and could be read in a period; until stored history is made into incidents, root causes are not known. */
    times: (period: Period): SourceTimes => sourceTimes(coverageBefore(period.to), period, firstWhole(upTo)),
    /** Calls that lasted at some time in a period, by when they began; null where there are more than `callsLooked`. */
    within({ from, to }: Period): readonly StoredCall[] | null {
      const rows = allRows(within, from, to);
      if (rows.length > callsLooked) return null;
      return rows.map(([id, source, began, until, attributed, labels, reads]) => ({
        id: whole(id),
        source: scopes.sourceName(whole(source)),
        began: whole(began),
        from: Math.max(from, whole(began)),
        to: Math.min(to, wholeOrNull(until) ?? to),
        meaning: meaning(textOrNull(attributed), text(labels), reads),
      }));
    },
  };
}
