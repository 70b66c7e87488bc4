import type { FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time/time-union.ts';
import { cutAtBlocks } from '../../../../codec/rollup-block.ts';
import { applicationName, type Applications } from '../../applications.ts';
import type { Part, RollupReader } from '../record-rollups.ts';
import type { Scopes } from '../record-scope.ts';
import { keptSums } from './kept-sums.ts';

/** Memory that is used at most: a block of days of a thousand clusters takes 0.5 MB, more where applications share no names. */
const keptBytes = 24 * 2 ** 20;

/** When anything was away in days that are rolled up. */
interface RolledAway {
  readonly fleet: FlatStretches;
  /** ms, by the ids of clusters. */
  readonly clusters: ReadonlyMap<number, number>;
  /** Each by its `applicationName`, and on which clusters it was away. */
  readonly applications: readonly {
    readonly name: string;
    readonly away: FlatStretches;
    readonly on: readonly number[];
  }[];
}

/** Reads when anything was away in days that are rolled up, block by block, over an open database, and keeps it. */
export function openRolledAway(scopes: Scopes, rollups: RollupReader) {
  const kept = keptSums<RolledAway>(scopes, { of: 'days', bytes: keptBytes, bytesOf });

  return (part: Part, applications: Applications | null): readonly RolledAway[] => {
    const key = JSON.stringify([part.scope, applications !== null]);
    return cutAtBlocks(part.period).map((period) =>
      kept.recall(period, key, () => awayIn(rollups, { ...part, period }, applications)),
    );
  };
}

function awayIn(rollups: RollupReader, part: Part, applications: Applications | null): RolledAway {
  const { kind } = part.scope;
  const { from, to } = part.period;
  const fleet = timeUnion();
  const clusters = new Map<number, number>();
  const named = new Map<string, { readonly away: TimeUnion; readonly on: Set<number> }>();
  const wanted = kind === null ? 'cluster' : 'kind';

  function unionOf(name: string): { readonly away: TimeUnion; readonly on: Set<number> } {
    const known = named.get(name) ?? { away: timeUnion(), on: new Set() };
    named.set(name, known);
    return known;
  }

  rollups.eachAway(part, (cluster, begins, of, id, numbers, begin, end) => {
    const isWanted = of === wanted && (kind === null || id === kind);
    const application = of === 'applier' ? applications?.ofObject(id) : undefined;
    if (!isWanted && application === undefined) return;
    const named = application === undefined ? null : unionOf(applicationName(application));
    const union = named?.away ?? fleet;
    let time = 0;
    for (let position = begin; position < end; position += 2) {
      const start = Math.max(from, begins + (numbers[position] ?? 0));
      const stop = Math.min(to, begins + (numbers[position + 1] ?? 0));
      if (start >= stop) continue;
      union.add(start, stop);
      time += stop - start;
    }
    if (named === null) clusters.set(cluster, (clusters.get(cluster) ?? 0) + time);
    else if (time > 0) named.on.add(cluster);
  });
  return {
    fleet: fleet.stretches().slice(),
    clusters,
    applications: [...named].map(([name, { away, on }]) => ({ name, away: away.stretches().slice(), on: [...on] })),
  };
}

/** An entry of a map or of a list of things takes so much at most. */
const entryBytes = 40;

function bytesOf({ fleet, clusters, applications }: RolledAway): number {
  const ofApplications = applications.reduce(
    (bytes, { name, away, on }) => bytes + 300 + 2 * name.length + away.byteLength + 8 * on.length,
    0,
  );
  return fleet.byteLength + clusters.size * entryBytes + ofApplications;
}
