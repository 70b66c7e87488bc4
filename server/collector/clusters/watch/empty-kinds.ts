import type { ClusterTuning } from '../tuning.ts';

/** Of the kinds that are watched, those without objects: so many, so that a server is not asked to keep thousands of idle watches. */
export type EmptyKinds = ReturnType<typeof createEmptyKinds>;

type Bounds = Pick<ClusterTuning, 'emptyWatchesAtMost' | 'namedWatchesAtMost' | 'emptyFor'>;

/** Starts without any. */
export function createEmptyKinds({ emptyWatchesAtMost, namedWatchesAtMost, emptyFor }: Bounds) {
  const since = new Map<string, number>();
  const most = { empty: emptyWatchesAtMost, named: emptyWatchesAtMost + namedWatchesAtMost };
  return {
    /** One more may be watched: because it is empty, or because something has named it and an object is expected. */
    hasRoom: (why: 'empty' | 'named'): boolean => since.size < most[why],
    /** A kind is watched that has no object, since `at` (ms). */
    add(key: string, at: number): void {
      if (!since.has(key)) since.set(key, at);
    },
    /** It has an object, or is not watched any more. */
    remove: (key: string): void => void since.delete(key),
    /** Takes out those that are too many at `now` (ms) and have been empty for long, the longest first. */
    surplus(now: number): readonly string[] {
      const found: string[] = [];
      // In the order of time, as they were added; one that was only just emptied may soon be filled again.
      for (const [key, at] of since) {
        if (since.size <= most.empty || now < at + emptyFor) break;
        since.delete(key);
        found.push(key);
      }
      return found;
    },
  };
}
