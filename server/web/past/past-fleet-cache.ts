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
  const declared = new Set<string>();
  const held = new Map<string, CurrentObject[]>();
  let gathered: CurrentObject[] = [];
  let last = '';
  for (const recorded of unpackObjects(objects)) {
    const object = withOwner(recorded, present);
    const { cluster, group, kind } = object.ref;
    // They come cluster by cluster, mostly.
    if (cluster !== last) {
      last = cluster;
      const others = held.get(cluster);
      if (others === undefined) held.set(cluster, (gathered = []));
      else gathered = others;
    }
    gathered.push(object);
    if (object.role === 'declared') declared.add(kindKey({ group, kind }));
  }
  const clusterCaches = new Map<string, ClusterCache>();
  for (const [name, of] of held) clusterCaches.set(name, { name, record: null, objects: byKey(of), ...still });
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
