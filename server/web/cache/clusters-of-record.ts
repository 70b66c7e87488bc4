import type { Change, StoreReader } from '#server/store/port/port.ts';
import { createFleetCache, type ClusterCache } from './fleet-cache.ts';

/** The clusters in a store with their objects, read in bounded steps; `heard` is told everything current, what alarm sources tell among it. */
export async function clustersOfRecord(
  store: Pick<StoreReader, 'follow'>,
  heard?: (change: Change) => void,
): Promise<Iterable<ClusterCache>> {
  const cache = createFleetCache();
  for (let cursor: string | null = null, more = true; more;) {
    const answer = await store.follow(cursor, 10_000);
    cache.apply(answer.changes);
    if (heard !== undefined) for (const change of answer.changes) heard(change);
    ({ cursor, more } = answer);
  }
  return cache.clusterCaches();
}
