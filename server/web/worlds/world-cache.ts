import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { ObjectRef, RefKey } from '#lib/domain/observation/ref.ts';
import type { CachedObjects, ClusterCache, FleetCache } from '../cache/fleet-cache.ts';
import { recordWithin } from './hide/cluster.ts';
import { objectWithin } from './hide/object.ts';
import type { Sight, SightNow } from './sight.ts';

interface Kept {
  readonly of: ClusterCache;
  readonly revision: number;
  readonly renewal: number;
  readonly sight: Sight;
  readonly made: ClusterCache;
}

/** The part of a fleet cache that a sight holds, as if it were all. */
export function worldCache(whole: FleetCache, sightNow: SightNow): FleetCache {
  const kept = new Map<string, Kept>();

  function part(of: ClusterCache, sight: Sight): ClusterCache | null {
    if (sight.granted(of.name) === 'none') return null;
    const { revision, renewal } = of;
    const found = kept.get(of.name);
    if (found?.of === of && found.revision === revision && found.renewal === renewal && found.sight === sight)
      return found.made;
    const made = clusterWithin(of, sight);
    kept.set(of.name, { of, revision, renewal, sight, made });
    return made;
  }

  function* parts(): Generator<ClusterCache> {
    const sight = sightNow();
    for (const name of kept.keys()) if (whole.clusterCache(name) === null) kept.delete(name);
    for (const one of whole.clusterCaches()) {
      const made = part(one, sight);
      if (made !== null) yield made;
    }
  }

  return {
    clusterCache(name) {
      const found = whole.clusterCache(name);
      return found === null ? null : part(found, sightNow());
    },
    clusterCaches: parts,
    object(ref) {
      const sight = sightNow();
      const found = sight.sees(ref) ? whole.object(ref) : null;
      return found === null ? null : objectWithin(found, sight);
    },
    size: () => parts().reduce((sum, { objects }) => sum + objects.size, 0),
  };
}

function clusterWithin({ name, record, objects, revision, renewal }: ClusterCache, sight: Sight): ClusterCache {
  const seen = objectsWithin(objects, sight, sight.granted(name) === 'all');
  return {
    name,
    record: record && recordWithin(record, () => refsOf(objects, sight), sight),
    objects: seen,
    revision,
    renewal,
  };
}

function* refsOf(objects: CachedObjects, sight: Sight): Generator<ObjectRef> {
  for (const { ref } of objects.values()) if (sight.sees(ref)) yield ref;
}

/** The objects that are seen, each as it may be told: a cluster of a hundred thousand is not copied. */
function objectsWithin(objects: CachedObjects, sight: Sight, isWhole: boolean): CachedObjects {
  let size: number | null = isWhole ? objects.size : null;

  function* entries(): Generator<[RefKey, KnownObject], undefined> {
    for (const [key, object] of objects.entries())
      if (isWhole || sight.sees(object.ref)) yield [key, objectWithin(object, sight)];
  }

  function* values(): Generator<KnownObject, undefined> {
    for (const [, object] of entries()) yield object;
  }

  return {
    get size() {
      if (size !== null) return size;
      size = 0;
      for (const { ref } of objects.values()) if (sight.sees(ref)) size += 1;
      return size;
    },
    get(key) {
      const found = objects.get(key);
      return found !== undefined && sight.sees(found.ref) ? objectWithin(found, sight) : undefined;
    },
    entries,
    values,
  };
}
