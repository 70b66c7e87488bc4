import type { StoreReader } from '#server/store/port/port.ts';
import { createFleetCache, type ClusterCache } from './fleet-cache.ts';

/** The clusters in a store with their objects, read in bounded steps. */
export async function clustersOfRecord(store: Pick<StoreReader, 'follow'>): Promise<Iterable<ClusterCache>> {
  const cache = createFleetCache();
  for (let cursor: string | null = null, more = true; more;) {
    const answer = await store.follow(cursor, 10_000);
    cache.apply(answer.changes);
    ({ cursor, more } = answer);
  }
  return cache.clusterCaches();
}
