import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { BuiltCluster, KnownCluster } from './known-cluster.ts';
import { buildKnown } from './known-cluster.ts';
import type { FleetCache, ClusterCache } from './fleet-cache.ts';

/** The fleet cache as it may be told now, cluster by cluster; what has not changed is not judged again. */
export interface KnownFleet {
  /** One cluster as known at `now` (ms); null where there is none of that name. */
  cluster(name: string, now: number): KnownCluster | null;
  /** All clusters, by name. */
  all(now: number): readonly KnownCluster[];
  /** Another number whenever any cluster has another stamp, came or went. */
  stamp(now: number): number;
}

const unread = unknownAlarms('none');

/** Makes the reader of a fleet cache; without alarms none is known. A dead collector needs no write to be seen: proof that runs out makes a new stamp. */
export function knownFleet(fleetCache: FleetCache, policy: Policy, alarms: KnownAlarms = unread): KnownFleet {
  const built = new Map<string, BuiltCluster>();
  let stamps = 0;
  let names: readonly string[] = [];

  function holds(known: BuiltCluster, clusterCache: ClusterCache, now: number): boolean {
    if (known.revision !== clusterCache.revision || now >= known.expiresAt) return false;
    if (known.alarmStamp !== alarms.stamp(clusterCache.name, now)) return false;
    return !known.expired || known.renewal === clusterCache.renewal;
  }

  function ofClusterCache(clusterCache: ClusterCache, now: number): BuiltCluster {
    const found = built.get(clusterCache.name);
    if (found && holds(found, clusterCache, now)) return found;
    const made = buildKnown(clusterCache, { alarms, policy }, now, ++stamps);
    built.set(clusterCache.name, made);
    return made;
  }

  function all(now: number): readonly BuiltCluster[] {
    const present = Array.from(fleetCache.clusterCaches(), ({ name }) => name).toSorted();
    if (present.join('/') !== names.join('/')) {
      names = present;
      stamps += 1;
      for (const name of built.keys()) if (!fleetCache.clusterCache(name)) built.delete(name);
    }
    return names.flatMap((name) => {
      const clusterCache = fleetCache.clusterCache(name);
      return clusterCache ? [ofClusterCache(clusterCache, now)] : [];
    });
  }

  return {
    cluster(name, now) {
      const clusterCache = fleetCache.clusterCache(name);
      return clusterCache ? ofClusterCache(clusterCache, now) : null;
    },
    all,
    stamp(now) {
      all(now);
      return stamps;
    },
  };
}
