import type { StoreReader } from '#server/store/port.ts';

/**
 * The store as it was known at `at` (ms): nothing that was noticed later, and no detail, of which only the present one is kept.
 * What follows the store is of no use here.
 */
export function readerAsOf(reader: StoreReader, at: number): StoreReader {
  return {
    ...reader,
    detail: () => Promise.resolve(null),
    async transitions(ref, range) {
      const found = await reader.transitions(ref, { ...range, to: Math.min(range.to, at) });
      return found.filter(({ noticedAt }) => noticedAt <= at);
    },
    async changes(range) {
      const found = await reader.changes({ ...range, to: Math.min(range.to, at) });
      return found.filter(({ noticedAt }) => noticedAt <= at);
    },
    async coverage(cluster, { from, to }) {
      const found = await reader.coverage(cluster, { from, to: Math.min(to, at) });
      return found.filter((change) => change.at <= at);
    },
  };
}
