import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import { withoutAlarms, type KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { ObjectRef, RefKey } from '#lib/domain/observation/ref.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { Change } from '#server/store/port/port.ts';

/** The objects of a cluster by their keys. */
export type CachedObjects = Pick<ReadonlyMap<RefKey, KnownObject>, 'size' | 'get' | 'values' | 'entries'>;

/** Knowledge held of one cluster. */
export interface ClusterCache {
  readonly name: string;
  /** null while only objects of it have come. */
  readonly record: CurrentCluster | null;
  readonly objects: CachedObjects;
  /** Moves when anything changed that a reader could see. */
  readonly revision: number;
  /** Moves when only proof was renewed: confirmations, times of a last word. */
  readonly renewal: number;
}

/**
 * The fleet in memory, as the store has it or had it. Nothing in it is judged by the clock: every reader goes through `KnownFleet`,
 * which says what may still be believed.
 */
export interface FleetCache {
  clusterCache(cluster: string): ClusterCache | null;
  clusterCaches(): Iterable<ClusterCache>;
  object(ref: ObjectRef): KnownObject | null;
  /** Number of objects it holds. */
  size(): number;
}

/** A cache that follows the store. */
export interface LiveFleetCache extends FleetCache {
  /** Applies changes in their order. */
  apply(changes: readonly Change[]): void;
  /** Forgets everything: another store took the place of the one it was read from. */
  clear(): void;
}

interface MutableClusterCache extends ClusterCache {
  record: CurrentCluster | null;
  readonly objects: Map<RefKey, KnownObject>;
  revision: number;
  renewal: number;
}

/** Makes an empty cache. */
export function createFleetCache(): LiveFleetCache {
  const clusterCaches = new Map<string, MutableClusterCache>();
  // Over all clusters and never reset, so that a cluster that comes back is never mistaken for what it was.
  let revision = 0;

  function open(name: string): MutableClusterCache {
    const found = clusterCaches.get(name);
    if (found) return found;
    const made = { name, record: null, objects: new Map(), revision, renewal: 0 };
    clusterCaches.set(name, made);
    return made;
  }

  function put(object: CurrentObject): void {
    const clusterCache = open(object.ref.cluster);
    clusterCache.objects.set(refKey(object.ref), withoutAlarms(object));
    clusterCache.revision = ++revision;
  }

  function remove(ref: ObjectRef): void {
    const clusterCache = clusterCaches.get(ref.cluster);
    if (!clusterCache?.objects.delete(refKey(ref))) return;
    clusterCache.revision = ++revision;
  }

  function confirm(change: Extract<Change, { type: 'confirmed' }>): void {
    const clusterCache = clusterCaches.get(change.ref.cluster);
    const key = refKey(change.ref);
    const object = clusterCache?.objects.get(key);
    if (!clusterCache || !object) return;
    const { confirmedAt, observedAt, validUntil } = change;
    clusterCache.objects.set(key, { ...object, confirmedAt, observedAt, validUntil });
    clusterCache.renewal += 1;
  }

  function putCluster(record: CurrentCluster): void {
    const clusterCache = open(record.name);
    if (clusterCache.record && substanceOf(clusterCache.record) === substanceOf(record)) clusterCache.renewal += 1;
    else clusterCache.revision = ++revision;
    clusterCache.record = record;
  }

  function applyOne(change: Change): void {
    switch (change.type) {
      case 'object':
        return put(change.object);
      case 'removed':
        return remove(change.ref);
      case 'confirmed':
        return confirm(change);
      case 'cluster':
        return putCluster(change.cluster);
      case 'cluster-removed':
        clusterCaches.delete(change.cluster);
        return;
      // What alarm sources tell is joined with objects where they are read.
      case 'alarm-source':
      case 'alarm-fact':
      case 'alarm-fact-removed':
      case 'alarm-source-removed':
        return;
    }
  }

  return {
    apply: (changes) => changes.forEach(applyOne),
    clear: () => clusterCaches.clear(),
    clusterCache: (cluster) => clusterCaches.get(cluster) ?? null,
    clusterCaches: () => clusterCaches.values(),
    object: (ref) => clusterCaches.get(ref.cluster)?.objects.get(refKey(ref)) ?? null,
    size: () => clusterCaches.values().reduce((sum, { objects }) => sum + objects.size, 0),
  };
}

/** A record of a cluster as text, without the times that a living session renews all the time. */
function substanceOf(record: CurrentCluster): string {
  return JSON.stringify({
    ...record,
    lastWordAt: null,
    validUntil: null,
    feeds: record.feeds.map((feed) => ({ ...feed, lastWordAt: null })),
    controllers: record.controllers.map((controller) => ({ ...controller, lastMovedAt: null })),
    probes: record.probes?.kinds,
  });
}
