import { snapshotTimeOf } from '../codec/snapshot-block.ts';
import type { RolledRange } from './rolled-days.ts';

/** Clusters of which the same mark is written down. */
export interface MarkedClusters {
  readonly clusters: readonly number[];
  /** ms; null for none: everything is sought. */
  readonly mark: number | null;
  /** True if what stood then may have ended since, without what is written down knowing. */
  readonly open: boolean;
}

/** Clusters by the last mark that is written down of them and is no later than a moment (ms). */
export function splitAtMarks(ranges: readonly RolledRange[], at: number): readonly MarkedClusters[] {
  const marked = ranges.map(({ cluster, from, to }) => {
    const last = Math.min(snapshotTimeOf(at), to);
    // Where no day is written down, how the one before ended is not either.
    const mark = to > from && last >= from ? last : null;
    return { cluster, mark, open: mark === to };
  });
  return [...Map.groupBy(marked, ({ mark, open }) => `${mark} ${open}`).values()].map((of) => ({
    clusters: of.map(({ cluster }) => cluster),
    mark: of[0]?.mark ?? null,
    open: of[0]?.open ?? false,
  }));
}
