import type { Clock } from '#server/runtime/clock.ts';
import type { ClusterEvent, WatchedKind } from '../cluster-event.ts';
import { startFollow, type WatchListSupport } from './follow.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClusterTuning } from '../tuning.ts';

export interface ReflectorDeps {
  readonly kind: WatchedKind;
  /** Goes on from here without a list; null for a full sync. */
  readonly resume: string | null;
  readonly transport: Transport;
  readonly watchList: WatchListSupport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  readonly on: (event: ClusterEvent) => void;
  /** The cluster does not serve the kind (any more). */
  onMissing(): void;
}

/**
 * Tells everything that happens to the objects of one kind on one cluster as `ClusterEvent`s: feed, sync-start, applied,
 * deleted, sync-end, bookmark. A sync that breaks off is followed by another sync-start, without a sync-end between.
 */
export function startReflector({
  kind,
  resume,
  transport,
  watchList,
  clock,
  random,
  tuning,
  on,
  onMissing,
}: ReflectorDeps): { stop(): Promise<void> } {
  return startFollow({
    target: {
      path: `/apis/${kind.group}/${kind.version}/${kind.resource}`,
      selector: '',
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      bookmarks: true,
    },
    sink: {
      state: (feed) => on({ type: 'feed', at: clock.now(), kind: { group: kind.group, kind: kind.kind }, feed }),
      syncStart: () => on({ type: 'sync-start', at: clock.now(), kind }),
      applied: (object, initial) => on({ type: 'applied', at: clock.now(), kind, initial, object }),
      deleted: (object) => on({ type: 'deleted', at: clock.now(), kind, object }),
      syncEnd: (resourceVersion) => on({ type: 'sync-end', at: clock.now(), kind, resourceVersion }),
      bookmark: (resourceVersion) => on({ type: 'bookmark', at: clock.now(), kind, resourceVersion }),
      missing: onMissing,
    },
    ...{ transport, watchList, clock, random, tuning, resume },
  });
}
