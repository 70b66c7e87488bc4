import { lengthOf, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time/time-union.ts';
import type { Applications } from './applications.ts';
import type { RollupReader } from './record/record-rollups.ts';
import { openRolledAway } from './record/kept/rolled-away.ts';
import type { ScopeIds, Scopes } from './record/record-scope.ts';
import type { AwayVisitor } from './record/record-pieces.ts';
import type { SharedPieces } from './record/shared-pieces.ts';
import type { ScopePieces } from './steps/scope-pieces.ts';
import type { Steps } from './steps/steps.ts';

/** Time (ms) for which anything was away. */
export interface AwayTimes {
  readonly fleet: number;
  /** By the ids of clusters; none of one on which nothing was. */
  readonly clusters: ReadonlyMap<number, number>;
}

/** Reads it, and tells applications (null: none are asked for) when their objects were away. */
export type AwayReader = (scope: ScopeIds, period: Period, applications: Applications | null) => Steps<AwayTimes>;

/** When anything was away, over an open database: days that are rolled up as they were written down, others from spans. */
export function openAwayTimes(
  scopes: Scopes,
  pieces: SharedPieces,
  rollups: RollupReader,
  eachPiece: ScopePieces,
): AwayReader {
  const rolledIn = openRolledAway(scopes, rollups);

  return function* (scope, period, applications) {
    const fleet = timeUnion();
    const clusters = new Map<number, number>();
    const addTo = (cluster: number, time: number): unknown =>
      clusters.set(cluster, (clusters.get(cluster) ?? 0) + time);
    const parts = rollups.partsOf(scope, period);
    for (const part of parts.rolled)
      for (const days of rolledIn(part, applications)) {
        addAll(fleet, days.fleet);
        for (const [cluster, time] of days.clusters) addTo(cluster, time);
        for (const { name, away, on } of days.applications) {
          const application = applications?.named(name);
          if (application !== undefined) addAll(application.away, away);
          for (const cluster of on) application?.awayOn.add(cluster);
        }
      }
    // A cluster's spans lie in other days than what is rolled up of it.
    const plain = new Map<number, TimeUnion>();
    const addAway: AwayVisitor = (object, cluster, _kind, from, to) => {
      const union = plain.get(cluster) ?? timeUnion();
      plain.set(cluster, union);
      union.add(from, to);
      const application = applications?.ofObject(object);
      application?.away.add(from, to);
      application?.awayOn.add(cluster);
    };
    for (const part of parts.plain) yield* eachPiece(part.scope, (piece) => pieces.away(piece, part.period, addAway));
    for (const [cluster, union] of plain) {
      const stretches = union.stretches();
      addTo(cluster, lengthOf(stretches));
      addAll(fleet, stretches);
    }
    return { fleet: lengthOf(fleet.stretches()), clusters };
  };
}

function addAll(union: TimeUnion, stretches: FlatStretches): void {
  for (let position = 0; position < stretches.length; position += 2)
    union.add(stretches[position] ?? 0, stretches[position + 1] ?? 0);
}
