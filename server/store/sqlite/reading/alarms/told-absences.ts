import type { FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import { boundedMap } from '../../../../runtime/bounded-map.ts';
import { blockOf } from '../../../codec/rollup-block.ts';
import { allRows, firstWhole, whole } from '../../rows/cells.ts';
import type { FaultReader } from '../record/incident/fault-reader.ts';
import type { GapsOf } from '../record/record-gaps.ts';
import type { RollupReader } from '../record/record-rollups.ts';
import type { Scopes } from '../record/record-scope.ts';
import { openAbsenceTimes, type AbsenceRow } from './absence-times.ts';
import { openNotedCauses, type NotedCauses } from './noted-causes.ts';

/** The record of one absence, as far as calls are held against it. */
export interface ToldAbsence {
  readonly overdue: FlatStretches;
  readonly causes: NotedCauses;
}

/** Absences that are remembered: each takes 300 bytes or so. */
const remembered = 50_000;

/** Reads single absences; those that lie in days that are rolled up are remembered for as long as nothing in these is written anew. */
export function openToldAbsences(scopes: Scopes, faults: Pick<FaultReader, 'faultOf'>, rollups: RollupReader) {
  const overdueOf = openAbsenceTimes(scopes);
  const causesOf = openNotedCauses(scopes, faults);
  const known = boundedMap<number, { readonly version: string; readonly told: ToldAbsence }>(remembered);
  const carried = scopes.statement("SELECT place FROM housekeeping WHERE work = 'incidents-up-to'");
  const versions = scopes.statement("SELECT place, version FROM figure_version WHERE of = 'days'");

  /** Begins a question, of what happened before a moment (ms). */
  return (gapsOf: GapsOf, alarmWithin: number, before: number) => {
    const version = new Map(allRows(versions).map(([place, one]) => [whole(place), whole(one)]));
    // Root causes are still being noted of what is over.
    const isCarried = firstWhole(carried) === null;
    const everything = { clusters: null, kind: null, namespace: null, name: null };
    const rolled = new Map(rollups.ranges(everything).map((range) => [range.cluster, range]));

    /** null where what is read now may be another the next time. */
    function versionOf({ cluster, openedAt, noticedAt, closedAt }: AbsenceRow): string | null {
      const range = rolled.get(cluster);
      if (!isCarried || range === undefined || noticedAt < range.from || closedAt >= range.to || closedAt > before)
        return null;
      const parts = [alarmWithin, openedAt, noticedAt, closedAt];
      for (let block = blockOf(noticedAt); block <= blockOf(closedAt); block++) parts.push(version.get(block) ?? 0);
      return parts.join(' ');
    }

    return (absence: AbsenceRow): ToldAbsence => {
      const its = versionOf(absence);
      const found = known.get(absence.id);
      if (its !== null && found?.version === its) return found.told;
      const told = { overdue: overdueOf(absence, gapsOf, alarmWithin, before), causes: causesOf(absence.id) };
      if (its !== null) known.set(absence.id, { version: its, told });
      return told;
    };
  };
}
