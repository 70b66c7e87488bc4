import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import { callBook } from '#lib/domain/alarm/called/call-book.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import { firstWhole } from '../../rows/cells.ts';
import { lastingAbsences } from '../record/absence-reader.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import type { GapReader } from '../record/record-gaps.ts';
import { ofClusters, type ScopeIds, type Scopes } from '../record/record-scope.ts';
import { noParts, openAbsenceParts, type AbsenceParts } from './absence-parts.ts';
import { openCallSums } from './call-sums.ts';
import { openConcernedAbsences } from './concerned-absences.ts';
import { openLateAbsences } from './late-absences.ts';
import { openMeantCalls } from './meant-calls.ts';
import type { OverdueReaders } from './unknown-overdue.ts';

/** Readers of absences that figures of calls rest on. */
export interface FigureReaders extends OverdueReaders {
  readonly gaps: GapReader;
}

/** Figures of who was called for what was away, over an open database. */
export function openAlarmFigures(scopes: Scopes, readers: FigureReaders) {
  const calls = openMeantCalls(scopes);
  const sums = openCallSums(scopes);
  const faults = openFaultReader(scopes);
  const concernedBy = openConcernedAbsences(scopes, faults);
  const late = openLateAbsences(scopes);
  const partsOf = openAbsenceParts(scopes, readers, faults, late);

  /** When the first of the absences began that were known in a period; its end where there are none. */
  function begun(scope: ScopeIds, { from, to }: Period): number {
    const { join, sql, parameters } = scopes.rows(scope, 'i');
    const statement = scopes.statement(
      `SELECT MIN(i.opened_at) FROM ${lastingAbsences(scope, 'object, cluster, opened_at')} i ${join && `CROSS ${join}`} WHERE ${sql}`,
    );
    return firstWhole(statement, from - 1, to, ...parameters) ?? to;
  }

  /** Where more calls were made than are looked at. */
  function unknownOf(scope: ScopeIds, period: Period, alarmWithin: number): AbsenceParts {
    const unknown = late.count({ scope, period, alarmWithin });
    return {
      ...noParts,
      unknown: readers.overdueIn(scope, period, alarmWithin),
      overdue: { ...noParts.overdue, unknown },
    };
  }

  return (asked: RecordScope, period: Period, alarmWithin: number): AlarmFigures => {
    const counted = sums.counted(asked, period);
    const scope = scopes.resolve(asked);
    if (period.from >= period.to) return { ...noParts, ...counted, withoutAbsence: 0 };
    const first = scope === null ? period.to : begun(scope, period);
    const looked = { from: Math.min(first, period.from), to: period.to };
    const within = calls.within(looked);
    if (within === null)
      return {
        ...(scope === null ? noParts : unknownOf(scope, period, alarmWithin)),
        ...{ ...counted, withoutAbsence: null },
      };
    const gapsOf = readers.gaps.within(scope ?? { clusters: null }, looked);
    const book = callBook(within, calls.times(looked));
    const concerned = scope === null ? [] : [...concernedBy(scope, period, book).values()];
    const withoutAbsence = sums.withoutAbsence(asked, period, { calls: within, concerned, gapsOf });
    if (scope === null) return { ...noParts, ...counted, withoutAbsence };
    const { sql, parameters } = ofClusters(scope, 'id');
    const clusters = scopes.ids(`SELECT id FROM cluster WHERE ${sql}`, parameters);
    const unknown = new Map(clusters.map((id) => [id, book.unknownOn(scopes.clusterName(id))]));
    const since = { from: Math.max(period.from, first), to: period.to };
    const parts = partsOf({ scope, period, since, alarmWithin, book, unknown }, concerned, gapsOf);
    return { ...parts, ...counted, withoutAbsence };
  };
}
