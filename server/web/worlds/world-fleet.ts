import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { counted, type KnownCluster } from '../cache/known-cluster.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';
import { alarmingWithin, cautionsWithin, conflictsWithin, feedsWithin } from './hide/cluster.ts';
import { sharedWithin } from './hide/shared-copies.ts';
import type { Sight, SightNow } from './sight.ts';

interface Kept {
  readonly stamp: number;
  readonly sight: Sight;
  readonly cluster: KnownCluster;
}

/**
 * The part of a fleet that a sight holds, as if it were all: a cluster of which all is seen, and that names nothing outside, is the very same one; of
 * others what is seen is counted anew.
 */
export function worldFleet(whole: KnownFleet, sightNow: SightNow, policy: Policy): KnownFleet {
  const kept = new Map<string, Kept>();
  // The stamps of the whole fleet ascend from 1: no stamp that is made here is one of them.
  let made = 0;
  let last: {
    readonly of: number;
    readonly sight: Sight;
    readonly stamp: number;
    readonly all: readonly KnownCluster[];
  } | null = null;

  function part(cluster: KnownCluster, sight: Sight, now: number): KnownCluster | null {
    if (sight.granted(cluster.name) === 'none') return null;
    const found = kept.get(cluster.name);
    if (found?.stamp === cluster.stamp && found.sight === sight) return found.cluster;
    const narrowed = clusterWithin(cluster, sight, policy, now);
    const own = narrowed === cluster ? cluster : { ...narrowed, stamp: --made };
    kept.set(cluster.name, { stamp: cluster.stamp, sight, cluster: own });
    return own;
  }

  function look(now: number): NonNullable<typeof last> {
    const sight = sightNow();
    const clusters = whole.all(now);
    const of = whole.stamp(now);
    if (last?.of === of && last.sight === sight) return last;
    const names = new Set(clusters.map(({ name }) => name));
    for (const name of kept.keys()) if (!names.has(name)) kept.delete(name);
    const all = clusters.flatMap((cluster) => part(cluster, sight, now) ?? []);
    const isSame = last !== null && last.all.length === all.length && all.every((one, at) => one === last?.all[at]);
    last = {
      of,
      sight,
      stamp: isSame && last !== null ? last.stamp : --made,
      all: isSame && last !== null ? last.all : all,
    };
    return last;
  }

  return {
    all: (now) => look(now).all,
    stamp: (now) => look(now).stamp,
    cluster(name, now) {
      const found = whole.cluster(name, now);
      return found === null ? null : part(found, sightNow(), now);
    },
  };
}

/** A cluster that is seen, as a sight tells it; the very same one where nothing has to be left out. */
function clusterWithin(cluster: KnownCluster, sight: Sight, policy: Policy, now: number): KnownCluster {
  const { name, known, listedConflicts } = cluster;
  const isWhole = sight.granted(name) === 'all';
  const objects = objectsWithin(cluster.objects, sight, isWhole);
  const conflicts = conflictsWithin(name, listedConflicts, sight);
  const cautions = cautionsWithin(known.cautions);
  const isSame = objects === cluster.objects && conflicts === listedConflicts && cautions === known.cautions;
  if (isWhole && isSame) return cluster;
  const shared = {
    ...cluster,
    known: { ...known, cautions },
    ...counted(objects, policy, now),
    listedConflicts: conflicts,
  };
  if (isWhole) return { ...shared, conflicts: cluster.conflicts - listedConflicts.length + conflicts.length };
  return {
    ...shared,
    conflicts: conflicts.length,
    feeds: feedsWithin(
      cluster.feeds,
      objects.map(({ ref }) => ref),
    ),
    alarming: alarmingWithin(name, cluster.alarming, sight),
  };
}

function objectsWithin(objects: readonly KnownObject[], sight: Sight, isWhole: boolean): readonly KnownObject[] {
  const seen = isWhole ? objects : objects.filter(({ ref }) => sight.sees(ref));
  const told = seen.map((object) => sharedWithin(object, sight));
  return isWhole && told.every((object, at) => object === objects[at]) ? objects : told;
}
