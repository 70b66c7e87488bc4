import type { NotedChange } from '#lib/domain/record/change.ts';
import type { ChangeRange, StoreReader } from '#server/store/port/port.ts';
import { detailWithin } from '../hide/object.ts';
import type { Sight, SightNow } from '../sight.ts';
import { recordWithin } from './record-within.ts';
import { objectTimesWithin } from './told-within.ts';

/** One decision for each method of a store: a new one is told to nobody before it has its own. */
type Decided = { readonly [Method in keyof StoreReader]-?: StoreReader[Method] };

/** So many changes are read at most to find those that are seen. */
const mostRead = 200_000;

/**
 * The store as a sight tells it. Following it, its size, and the names of all that it has are for who sees the whole fleet; the one who opened it closes
 * it.
 */
export function readerWithin(store: StoreReader, sightNow: SightNow): StoreReader {
  const refused = (): Promise<never> => Promise.reject(new Error('This is told to who sees the whole fleet.'));
  const told = objectTimesWithin(sightNow);
  const decided: Decided = {
    follow: refused,
    stats: refused,
    alarmSources: refused,
    recent: refused,
    close: () => Promise.resolve(),
    async detail(ref) {
      const sight = sightNow();
      const found = sight.sees(ref) ? await store.detail(ref) : null;
      return found === null ? null : detailWithin(found, sight);
    },
    async transitions(ref, range) {
      const sight = sightNow();
      if (!sight.sees(ref)) return [];
      return (await store.transitions(ref, range)).map(told.caused);
    },
    changes: (range) => changesWithin(store, range, sightNow()),
    coverage: async (cluster, range) => (sightNow().granted(cluster) === 'none' ? [] : store.coverage(cluster, range)),
    record: recordWithin(store.record, sightNow),
    async clusters() {
      const { granted } = sightNow();
      return (await store.clusters()).filter((name) => granted(name) !== 'none');
    },
  };
  return decided;
}

/** The newest changes that are seen: as many are read as it takes. Rejects where that is more than are read. */
async function changesWithin(store: StoreReader, range: ChangeRange, sight: Sight): Promise<readonly NotedChange[]> {
  const { ref, cluster, limit } = range;
  if (ref !== undefined && ref !== null) return sight.sees(ref) ? store.changes(range) : [];
  if (cluster !== undefined && sight.granted(cluster) === 'none') return [];
  for (let read = limit; read <= mostRead; read *= 8) {
    const found = await store.changes({ ...range, limit: read });
    const seen = found.filter((change) => seesChange(change, sight));
    if (seen.length >= limit || found.length < read) return seen.slice(0, limit);
  }
  throw new Error('there are more changes than are looked at');
}

/** A package belongs to who sees all of its cluster; Kubernetes and controllers to who sees any of it. */
function seesChange({ ref, cluster, fact }: NotedChange, sight: Sight): boolean {
  if (ref !== null) return sight.sees(ref);
  const granted = sight.granted(cluster);
  return fact.type === 'package-revision' ? granted === 'all' : granted !== 'none';
}
