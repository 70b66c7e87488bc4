import { withoutAlarms, type KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import { kindKey, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { PastFleet } from '#server/store/port/record-port.ts';
import type { FleetCache, ClusterCache, CachedObjects } from '../cache/fleet-cache.ts';

/** Nothing in it moves. */
const still = { revision: 1, renewal: 0 };

/** Until when (ms) each cluster that is being observed now is vouched for. */
export type Vouched = ReadonlyMap<string, number>;

/** Reads it from the fleet cache of the present. */
export function vouchedNow(present: FleetCache): Vouched {
  const live = [...present.clusterCaches()].flatMap(({ record }) => (record?.state === 'live' ? [record] : []));
  return new Map(live.map(({ name, validUntil }) => [name, validUntil]));
}

/**
 * The fleet cache of a past moment. Where nobody has vouched for a cluster up to that moment it was not seen then either: a collector
 * that died tells of its gap only when it starts again.
 */
export function pastFleetCache({ clusters, objects }: PastFleet, vouched: Vouched): FleetCache {
  const declared = new Set(objects.filter(({ role }) => role === 'declared').map(({ ref }) => kindKey(ref)));
  const clusterCaches = new Map<string, ClusterCache>();
  for (const [name, of] of Map.groupBy(objects, ({ ref }) => ref.cluster))
    clusterCaches.set(name, { name, record: null, objects: byKey(of), ...still });
  for (const past of clusters) {
    const { name } = past;
    // What is only declared is read of no cluster.
    const feeds = past.feeds.filter((kind) => !declared.has(kindKey(kind)));
    const validUntil = Math.min(past.validUntil, vouched.get(name) ?? Infinity);
    const record: CurrentCluster = { ...past, feeds, validUntil };
    clusterCaches.set(name, { name, record, objects: clusterCaches.get(name)?.objects ?? byKey([]), ...still });
  }
  return {
    clusterCache: (cluster) => clusterCaches.get(cluster) ?? null,
    clusterCaches: () => clusterCaches.values(),
    object: (ref) => clusterCaches.get(ref.cluster)?.objects.get(refKey(ref)) ?? null,
    size: () => objects.length,
  };
}

/** Objects by their keys, which are made when somebody asks for one: a matrix asks for none. */
function byKey(past: readonly CurrentObject[]): CachedObjects {
  const objects = past.map(withoutAlarms);
  let keyed: ReadonlyMap<RefKey, KnownObject> | null = null;
  const all = (): ReadonlyMap<RefKey, KnownObject> =>
    (keyed ??= new Map(objects.map((object) => [refKey(object.ref), object])));
  return {
    size: objects.length,
    get: (key) => all().get(key),
    values: () => objects.values(),
    entries: () => all().entries(),
  };
}
