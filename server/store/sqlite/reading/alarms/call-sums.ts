import { alertsTold, type AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import { lengthOf } from '#lib/domain/record/flat-stretches.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { layGapsOver } from '#lib/domain/record/segments.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion } from '#lib/domain/time/time-union.ts';
import { verdictOf } from '../../../codec/traits.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import { allRows, firstRow, firstWhole, text, whole, wholeOrNull } from '../../rows/cells.ts';
import type { GapsOf } from '../record/record-gaps.ts';
import type { Scopes } from '../record/record-scope.ts';
import type { AbsenceRow } from './absence-times.ts';
import type { StoredCall } from './meant-calls.ts';
import type { NamedObjects } from './named-objects.ts';
import { callsInScope } from './record-calls.ts';

/** Calls among what else is known of a period. */
interface CallsAmong {
  readonly calls: readonly StoredCall[];
  /** Absences that are known already; there may be others. */
  readonly concerned: readonly AbsenceRow[];
  readonly gapsOf: GapsOf;
  readonly objectsOf: NamedObjects;
}

/** A call for objects that were seen and not away all its time, as far as it is kept. */
export interface WellCall extends Period {
  readonly objects: readonly number[];
}

/** One with its call. */
interface FoundWell extends WellCall {
  readonly call: StoredCall;
}

function isDuring({ openedAt, closedAt }: AbsenceRow, { from, to }: Period): boolean {
  return openedAt < to && closedAt > from && closedAt > openedAt;
}

/** Tells how objects were while a call lasted. */
function openWellObjects(scopes: Scopes) {
  const objectRow = scopes.statement('SELECT cluster, kind FROM object WHERE id = ?');
  const absent = scopes.statement(
    'SELECT 1 FROM absence WHERE object = ?1 AND opened_at < ?3 AND (closed_at IS NULL OR (closed_at > ?2 AND closed_at > opened_at)) LIMIT 1',
  );
  const spans = scopes.statement(
    `SELECT noticed_at, until, to_verdict FROM transition INDEXED BY transition_span
     WHERE object = ?1 AND noticed_at < ?3 AND noticed_at >=
       COALESCE((SELECT MAX(p.noticed_at) FROM transition p INDEXED BY transition_span WHERE p.object = ?1 AND p.noticed_at <= ?2), ?2)`,
  );

  function wasAway({ objects, from, to }: WellCall): boolean {
    return objects.some((object) => firstWhole(absent, object, from, to) !== null);
  }

  /** True if an object was seen all of a period, and nothing that was away. */
  function wasWell(object: number, { from, to }: Period, gapsOf: GapsOf): boolean {
    const row = firstRow(objectRow, object);
    if (row === null) return false;
    const seen = timeUnion();
    const gaps = gapsOf(whole(row[0]), whole(row[1]));
    for (const [noticed, until, verdict] of allRows(spans, object, from, to)) {
      const is = verdictOf(text(verdict));
      if (is === null || is === 'unobserved' || isAway(is)) continue;
      layGapsOver({ from: whole(noticed), to: wholeOrNull(until) }, gaps, { from, to }, (gap, start, end) => {
        if (gap === null) seen.add(start, end);
      });
    }
    return lengthOf(seen.stretches()) === to - from;
  }

  return { wasAway, wasWell };
}

/** Sums up calls. */
export type CallSums = ReturnType<typeof openCallSums>;

/** Sums up the calls that began in a period. */
export function openCallSums(scopes: Scopes) {
  const { wasAway, wasWell } = openWellObjects(scopes);

  function wellAmong({ calls, concerned, gapsOf, objectsOf }: CallsAmong): readonly FoundWell[] {
    const absences = Map.groupBy(concerned, ({ object }) => object);
    return calls.flatMap((call): readonly FoundWell[] => {
      const during = { from: call.began, to: call.to };
      if (during.from >= during.to) return [];
      const objects = call.meaning.type === 'objects' ? objectsOf(call.meaning, 'called') : [];
      const isKnownAway = (object: number): boolean =>
        absences.get(object)?.some((one) => isDuring(one, during)) ?? false;
      if (objects.length === 0 || objects.some(isKnownAway)) return [];
      const well = { call, objects, ...during };
      return wasAway(well) || !objects.every((object) => wasWell(object, during, gapsOf)) ? [] : [well];
    });
  }

  function inScope(scope: RecordScope, { from, to }: Period) {
    const conditions = callsInScope(scope);
    const sql = ['c.from_at >= ? AND c.from_at < ?', ...conditions.map((one) => one.sql)].join(' AND ');
    return { sql, parameters: [from, to, ...conditions.flatMap(({ parameters }) => parameters)] };
  }

  return {
    /** Their number, and which alerts they were of. */
    counted(scope: RecordScope, period: Period): Pick<AlarmFigures, 'calls' | 'alerts' | 'alertsTotal'> {
      const { sql, parameters } = inScope(scope, period);
      const rows = allRows(
        scopes.statement(
          `SELECT s.name, c.alert, c.calls, c.last, SUM(c.calls) OVER (), COUNT(*) OVER () FROM (
             SELECT c.fact_source, c.alert, COUNT(*) AS calls, MAX(c.from_at) AS last FROM alarm_call c WHERE ${sql} GROUP BY c.fact_source, c.alert
           ) c JOIN fact_source s ON s.id = c.fact_source ORDER BY 3 DESC, 4 DESC, 1, 2 LIMIT ${alertsTold}`,
        ),
        ...parameters,
      );
      return {
        calls: whole(rows[0]?.[4] ?? 0),
        alerts: rows.map(([source, alert, calls, lastAt]) => ({
          ...{ source: text(source), alert: text(alert) },
          ...{ calls: whole(calls), lastAt: whole(lastAt) },
        })),
        alertsTotal: whole(rows[0]?.[5] ?? 0),
      };
    },
    /** Of calls those that name objects which were seen and never away while they lasted. */
    wellAmong,
    /** Those of a scope and period. */
    wellCalls(scope: RecordScope, period: Period, among: CallsAmong): readonly WellCall[] {
      const { sql, parameters } = inScope(scope, period);
      const ids = new Set(scopes.ids(`SELECT c.id FROM alarm_call c WHERE ${sql}`, parameters));
      const found = wellAmong({ ...among, calls: among.calls.filter(({ id }) => ids.has(id)) });
      return found.map(({ objects, from, to }) => ({ objects, from, to }));
    },
    /** Number of them of whose objects no absence was noticed since that lasted then: one is noticed later than it begins. */
    stillWell: (calls: readonly WellCall[]): number => calls.filter((call) => !wasAway(call)).length,
  };
}
