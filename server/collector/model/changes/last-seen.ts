import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { isBesideKind } from '#lib/domain/observation/beside-kinds.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import type { ClusterEvent } from '../../clusters/cluster-event.ts';
import { surplusOf } from '../feeds/unserved-kinds.ts';

/** Time (ms) after a stream was opened again in which what it tells was written while nobody listened. */
const catchUp = 1_000;

/** Up to when each kind was being followed before it was lost from sight, so that what is found afterwards is dated honestly. */
export type LastSeen = ReturnType<typeof createLastSeen>;

interface Followed {
  readonly kind: GroupKind;
  /** When something was received of it last. */
  last: number;
  lost: number | null;
  opened: number;
}

/** Starts with what the store remembers: until then an earlier collector followed. */
export function createLastSeen(before: CurrentCluster | null) {
  const kinds = new Map<string, Followed>();
  let lastReceived = before?.lastWordAt ?? null;
  let clusterLost = lastReceived;
  for (const feed of before?.feeds ?? []) {
    // A kind without objects is looked at again and again: it was seen to be empty for as long as its cluster was seen.
    const last = feed.state === 'idle' ? lastReceived : feed.lastWordAt;
    if (last !== null) kinds.set(kindKey(feed), { kind: feed, last, lost: last, opened: 0 });
  }

  function receive(kind: GroupKind, at: number): void {
    const known = kinds.get(kindKey(kind));
    if (known) known.last = at;
    else kinds.set(kindKey(kind), { kind, last: at, lost: null, opened: 0 });
  }

  function lose(kind: GroupKind, opened: number): void {
    const known = kinds.get(kindKey(kind));
    if (!known) return;
    known.lost = known.last;
    known.opened = opened;
  }

  function regain(kind: GroupKind, at: number): void {
    const known = kinds.get(kindKey(kind));
    if (known?.opened === Number.POSITIVE_INFINITY) known.opened = at;
  }

  function takeFeed(event: Extract<ClusterEvent, { readonly type: 'feed' }>): void {
    switch (event.feed.state) {
      case 'idle':
        return receive(event.kind, event.at);
      case 'live':
        return regain(event.kind, event.at);
      case 'syncing':
      case 'silent':
      case 'failed':
      case 'forbidden':
      case 'absent':
        return lose(event.kind, Number.POSITIVE_INFINITY);
    }
  }

  function takeKinds(served: readonly GroupKind[]): void {
    const there = new Set(served.map(kindKey));
    const isServed = ({ kind }: Followed): boolean => isBesideKind(kind) || there.has(kindKey(kind));
    for (const { kind } of surplusOf(kinds.values(), isServed)) kinds.delete(kindKey(kind));
  }

  return {
    /** Takes an event before anybody else does. */
    take(event: ClusterEvent): void {
      if (event.type === 'disconnected' || event.type === 'probes') return;
      if (event.type === 'feed') return takeFeed(event);
      if (event.type === 'kinds') takeKinds([...event.kinds, ...event.absent]);
      if (event.type === 'connected') {
        clusterLost = lastReceived;
        for (const kind of kinds.values()) {
          kind.lost = kind.last;
          kind.opened = event.at;
        }
      } else if (event.type === 'sync-start') lose(event.kind, event.at);
      else if ('kind' in event) receive(event.kind, event.at);
      lastReceived = event.at;
    },
    /** The last moment (ms) at which a kind was followed before it was last lost from sight; null where it never was. */
    lost: (kind: GroupKind): number | null => kinds.get(kindKey(kind))?.lost ?? null,
    /** The same of the cluster as a whole. */
    clusterLost: (): number | null => clusterLost,
    /** True if what a stream of a kind told at `at` (ms) may have been written while nobody listened. */
    catchesUp: (kind: GroupKind, at: number): boolean => at < (kinds.get(kindKey(kind))?.opened ?? 0) + catchUp,
  };
}
