import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { LRUCache } from 'lru-cache';
import type { ColumnSeed } from '#lib/domain/matrix/column-seeds.ts';
import { columnSeeds } from '#lib/domain/matrix/column-seeds.ts';
import { columnOf } from '#lib/domain/matrix/column-of.ts';
import { rowContext } from '#lib/domain/matrix/matrix-row.ts';
import { kindKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { mayHide } from '../cache/hidden-kinds.ts';
import type { FleetCache, ClusterCache } from '../cache/fleet-cache.ts';

/** The objects of one column, cluster by cluster. */
export interface ColumnParts {
  /** The cluster caches with what lies in the column of this id (in the view by delivery) and nothing else; its seed, null where it is in no cluster. */
  of(id: string): { readonly parts: readonly ClusterCache[]; readonly seed: ColumnSeed | null };
}

interface KeptMembers {
  readonly revision: number;
  readonly keys: readonly RefKey[];
}

/** Columns that are asked for at the same time; the least recently asked is forgotten. */
const KEPT = 16;
/** So much may be held of columns that have gone, and as much again three times as was needed, before all is found anew. */
const SEEDS_GONE = 4_000;

/** Makes the finder. Which objects lie in a column is found again only on clusters that changed. */
export function columnParts(fleetCache: FleetCache): ColumnParts {
  let seeds = columnSeeds();
  let most = Infinity;
  const columns = new LRUCache<string, ReadonlyMap<string, KeptMembers>>({ max: KEPT });

  function membersOf(clusterCache: ClusterCache, id: string): readonly RefKey[] {
    const context = rowContext(clusterCache.record?.labels ?? {}, [...clusterCache.objects.values()], seeds);
    const keys: RefKey[] = [];
    for (const [key, object] of clusterCache.objects.entries())
      if (columnOf({ by: 'delivery' }, object, context).id === id) keys.push(key);
    return keys;
  }

  return {
    of(id) {
      const isFull = seeds.size() > most;
      if (isFull) {
        seeds = columnSeeds();
        columns.clear();
      }
      const known = columns.get(id);
      const members = new Map<string, KeptMembers>();
      const found: Found[] = [];
      for (const clusterCache of fleetCache.clusterCaches()) {
        const kept = known?.get(clusterCache.name);
        const { revision } = clusterCache;
        const keys = kept?.revision === revision ? kept.keys : membersOf(clusterCache, id);
        members.set(clusterCache.name, { revision, keys });
        found.push({ clusterCache, keys });
      }
      columns.set(id, members);
      if (isFull || most === Infinity) most = 4 * seeds.size() + SEEDS_GONE;
      return { parts: partsOf(found), seed: [...seeds.all()].find((one) => one.id === id) ?? null };
    },
  };
}

interface Found {
  readonly clusterCache: ClusterCache;
  readonly keys: readonly RefKey[];
}

/**
 * The cluster caches with what lies in a column, and those that may hide more of it. Kinds that none of the column's objects is of, on any
 * cluster, say nothing about it. None where no cluster is known to have anything of it.
 */
function partsOf(found: readonly Found[]): readonly ClusterCache[] {
  const kinds = new Set<string>();
  for (const { clusterCache, keys } of found)
    for (const key of keys) {
      const ref = clusterCache.objects.get(key)?.ref;
      if (ref !== undefined) kinds.add(kindKey(ref));
    }
  if (kinds.size === 0) return [];
  return found.flatMap(({ clusterCache, keys }) => {
    const { record } = clusterCache;
    const feeds = record?.feeds.filter((kind) => kinds.has(kindKey(kind))) ?? [];
    if (keys.length === 0 && !mayHide(record?.state ?? 'unobserved', clusterCache.objects.size, feeds)) return [];
    const objects = new Map(keys.flatMap((key) => pairOf(key, clusterCache.objects.get(key))));
    return { ...clusterCache, record: record === null ? null : { ...record, feeds }, objects };
  });
}

function pairOf(key: RefKey, object: KnownObject | undefined): readonly (readonly [RefKey, KnownObject])[] {
  return object === undefined ? [] : [[key, object]];
}
