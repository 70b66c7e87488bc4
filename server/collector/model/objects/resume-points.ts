import { kindKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { StoredResume } from '#server/store/port/port.ts';
import type { WatchedKind } from '../../clusters/cluster-event.ts';
import type { Entry } from './entry.ts';

/** Where the watch of each kind may go on after a restart, as far as it is not in the store yet. Starts without any. */
export function createResumePoints() {
  const points = new Map<string, StoredResume>();
  return {
    note({ group, kind, version }: WatchedKind, resourceVersion: string): void {
      points.set(kindKey({ group, kind }), { group, kind, version, resourceVersion });
    },
    /** Those that may be stored: nothing of their kind is heard and not believed yet, which they must not pass by. `settling` are such keys. */
    storable(entries: ReadonlyMap<RefKey, Entry>, settling: () => Iterable<RefKey>): readonly StoredResume[] {
      if (points.size === 0) return [];
      const unsettled = new Set<string>();
      for (const key of settling()) {
        const entry = entries.get(key);
        if (entry?.state.track.pending) unsettled.add(kindKey(entry.ref));
      }
      return [...points.values()].filter((point) => !unsettled.has(kindKey(point)));
    },
    /** They are in the store. */
    stored(gone: readonly StoredResume[]): void {
      for (const point of gone) if (points.get(kindKey(point)) === point) points.delete(kindKey(point));
    },
  };
}
