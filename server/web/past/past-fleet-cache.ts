import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import { pastSentence } from '#lib/domain/record/past-sentence.ts';
import { kindKey, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { PastFleet } from '#server/store/port/record-port.ts';
import { unpackObjects } from '#server/store/record/packed-objects.ts';
import type { FleetCache, ClusterCache, CachedObjects } from '../cache/fleet-cache.ts';

/** Nothing in it moves. */
const still = { revision: 1, renewal: 0 };

/**
 * The fleet cache of a past moment. Where nobody has vouched for a cluster up to that moment, by the present fleet cache, it
 * was not seen then either: a collector that died tells of its gap only when it starts again.
 */
export function pastFleetCache({ clusters, objects }: PastFleet, present: FleetCache): FleetCache {
  const recorded = unpackObjects(objects).map((object) => withOwner(object, present));
  const declared = new Set(recorded.filter(({ role }) => role === 'declared').map(({ ref }) => kindKey(ref)));
  const clusterCaches = new Map<string, ClusterCache>();
  for (const [name, of] of Map.groupBy(recorded, ({ ref }) => ref.cluster))
    clusterCaches.set(name, { name, record: null, objects: byKey(of), ...still });
  for (const past of clusters) {
    const vouched = asVouchedFor(past, present.clusterCache(past.name)?.record ?? null);
    // What is only declared is read of no cluster.
    const feeds = vouched.feeds.filter((kind) => !declared.has(kindKey(kind)));
    const of = clusterCaches.get(past.name)?.objects ?? byKey([]);
    clusterCaches.set(past.name, { name: past.name, record: { ...vouched, feeds }, objects: of, ...still });
  }
  return {
    clusterCache: (cluster) => clusterCaches.get(cluster) ?? null,
    clusterCaches: () => clusterCaches.values(),
    object: (ref) => clusterCaches.get(ref.cluster)?.objects.get(refKey(ref)) ?? null,
    size: () => objects.count,
  };
}

/** Objects by their keys, which are made when somebody asks for one: a matrix asks for none. */
function byKey(objects: readonly CurrentObject[]): CachedObjects {
  let keyed: ReadonlyMap<RefKey, CurrentObject> | null = null;
  const all = (): ReadonlyMap<RefKey, CurrentObject> =>
    (keyed ??= new Map(objects.map((object) => [refKey(object.ref), object])));
  return {
    size: objects.length,
    get: (key) => all().get(key),
    values: () => objects.values(),
    entries: () => all().entries(),
  };
}

function asVouchedFor(past: CurrentCluster, present: CurrentCluster | null): CurrentCluster {
  if (present?.state !== 'live') return past;
  return { ...past, validUntil: Math.min(past.validUntil, present.validUntil) };
}

/** Whose it is was not kept with the oldest records: an object changes it by being made anew only. */
function withOwner(past: CurrentObject, present: FleetCache): CurrentObject {
  const now = past.reconciler === '' ? present.object(past.ref) : null;
  if (now === null) return past;
  const known = { ...past, reconciler: now.reconciler, role: now.role };
  return { ...known, sentence: pastSentence(known) };
}
