import { lengthOf } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time/time-union.ts';
import type { Application } from './applications.ts';
import type { RollupReader } from './record/record-rollups.ts';
import type { ScopeIds } from './record/record-scope.ts';
import type { SharedPieces } from './record/shared-pieces.ts';

/** Time (ms) for which anything was away. */
export interface AwayTimes {
  readonly fleet: number;
  /** By the ids of clusters; none of one on which nothing was. */
  readonly clusters: ReadonlyMap<number, number>;
}

/** Reads it, and tells applications, by the ids of their objects, when these were away. */
export type AwayReader = (scope: ScopeIds, period: Period, applications: ReadonlyMap<number, Application>) => AwayTimes;

/** When anything was away, over an open database: days that are rolled up as they were written down, others from spans. */
export function openAwayTimes(pieces: SharedPieces, rollups: RollupReader): AwayReader {
  return (scope, period, applications) => {
    const fleet = timeUnion();
    const clusters = new Map<number, number>();
    const addTo = (cluster: number, time: number): unknown =>
      clusters.set(cluster, (clusters.get(cluster) ?? 0) + time);
    const parts = rollups.partsOf(scope, period);
    const wanted = scope.kind === null ? 'cluster' : 'kind';
    for (const part of parts.rolled) {
      const { from, to } = part.period;
      rollups.eachAway(part, (cluster, begins, of, id, numbers, begin, end) => {
        const isWanted = of === wanted && (scope.kind === null || id === scope.kind);
        const application = of === 'applier' ? applications.get(id) : undefined;
        const union = isWanted ? fleet : application?.away;
        if (union === undefined) return;
        let time = 0;
        for (let position = begin; position < end; position += 2) {
          const start = Math.max(from, begins + (numbers[position] ?? 0));
          const stop = Math.min(to, begins + (numbers[position + 1] ?? 0));
          if (start >= stop) continue;
          union.add(start, stop);
          time += stop - start;
        }
        if (isWanted) addTo(cluster, time);
        else if (time > 0) application?.awayOn.add(cluster);
      });
    }
    // A cluster's spans lie in other days than what is rolled up of it.
    const plain = new Map<number, TimeUnion>();
    for (const part of parts.plain)
      pieces.away(part.scope, part.period, (object, cluster, _kind, from, to) => {
        const union = plain.get(cluster) ?? timeUnion();
        plain.set(cluster, union);
        union.add(from, to);
        const application = applications.get(object);
        application?.away.add(from, to);
        application?.awayOn.add(cluster);
      });
    for (const [cluster, union] of plain) {
      const stretches = union.stretches();
      addTo(cluster, lengthOf(stretches));
      for (let position = 0; position < stretches.length; position += 2)
        fleet.add(stretches[position] ?? 0, stretches[position + 1] ?? 0);
    }
    return { fleet: lengthOf(fleet.stretches()), clusters };
  };
}
