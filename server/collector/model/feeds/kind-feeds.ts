import { surplusOf } from './unserved-kinds.ts';
import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { seeing } from '#lib/domain/verdict/as-known-at.ts';
import type { ClusterEvent, ClusterFault, FeedState, WatchedKind } from '../../clusters/cluster-event.ts';
import { reasonOf } from './feed-text.ts';
import { lossGrace, type NoteCoverage } from './cluster-visibility.ts';

/** Feed by which one kind of a cluster is being read. Times in ms. */
export interface Feed {
  readonly kind: GroupKind;
  version: string | null;
  namespaced: boolean;
  /** Published state. */
  state: CurrentFeed['state'];
  /** Since when it is seen, with objects or without; where it is not, since when that is so, for whichever reasons. */
  since: number;
  reason: string | null;
  /** Why it cannot be read, as it was told; null where it can, or may yet. */
  fault: ClusterFault | null;
  lastWordAt: number | null;
  /** Has it ever been in step with the cluster. */
  everLive: boolean;
  /** It failed for want of a connection, and no stream has been opened since. */
  cut: boolean;
  /** A loss that is not published yet. */
  losing: { readonly at: number; readonly state: FeedState } | null;
}

/** The feeds of one cluster, with the grace before a loss counts. Whoever changes one is told whether anything that is published changed. */
export type KindFeeds = ReturnType<typeof createKindFeeds>;

function newFeed({ group, kind }: GroupKind, since: number): Feed {
  return {
    kind: { group, kind },
    version: null,
    namespaced: true,
    state: 'syncing',
    since,
    reason: null,
    fault: null,
    lastWordAt: null,
    everLive: false,
    cut: false,
    losing: null,
  };
}

/** The visibility of a cluster, as its feeds ask it and tell it. */
export interface FeedDeps {
  readonly note: NoteCoverage;
  /**
   * Since when (ms) a kind is not seen that is found at `at` not to be: since its cluster was lost where nothing has come of it since.
   * `lastWordAt` is when it was heard of last (ms), null for never.
   */
  unseenSince(kind: GroupKind, lastWordAt: number | null, at: number): number;
}

/** Publishes how a feed is now; tells whether that is news. */
function publish(feed: Feed, next: FeedState, at: number, { note, unseenSince }: FeedDeps): boolean {
  feed.losing = null;
  const reason = reasonOf(next);
  if (feed.state === next.state && feed.reason === reason) return false;
  const [was, is] = [seeing[feed.state], seeing[next.state]];
  // Not seen for another reason is not seen all the same. Nor is it news to be seen with objects: who sees a part would be told when others made theirs.
  if (is && !was) feed.since = at;
  else if (!is && was) feed.since = unseenSince(feed.kind, feed.lastWordAt, at);
  feed.state = next.state;
  feed.reason = reason;
  feed.fault = 'fault' in next ? next.fault : null;
  if (is) feed.everLive = true;
  if (was !== is) note({ kind: feed.kind, at, observed: is, state: next.state, reason });
  return true;
}

function takeState(feed: Feed, next: FeedState, at: number, deps: FeedDeps): boolean {
  if (next.state !== 'syncing') feed.cut = next.state === 'failed' && next.fault.type === 'unreachable';
  switch (next.state) {
    case 'syncing':
      // A relist of a feed that was in step is no blindness: what was known stays known until the list has come.
      return feed.everLive ? false : publish(feed, next, at, deps);
    case 'failed':
      if (!feed.everLive || !seeing[feed.state]) return publish(feed, next, at, deps);
      feed.losing ??= { at, state: next };
      return false;
    case 'live':
    case 'idle':
    case 'silent':
    case 'forbidden':
    case 'absent':
      return publish(feed, next, at, deps);
  }
}

/** Starts without any. */
export function createKindFeeds(deps: FeedDeps) {
  const feeds = new Map<string, Feed>();
  let known = false;
  let probes: CurrentCluster['probes'] = null;

  function feedFor(kind: GroupKind, at: number): Feed {
    const found = feeds.get(kindKey(kind)) ?? newFeed(kind, deps.unseenSince(kind, null, at));
    feeds.set(kindKey(kind), found);
    return found;
  }

  return {
    /** Discovery has told what the cluster serves. */
    areKnown: (): boolean => known,
    get: (kind: GroupKind): Feed | undefined => feeds.get(kindKey(kind)),
    all: (): Iterable<Feed> => feeds.values(),
    take(kind: GroupKind, next: FeedState, at: number): boolean {
      // One that was forgotten: nothing else is said of it once it is served no longer.
      if (known && next.state === 'absent' && !feeds.has(kindKey(kind))) return false;
      return takeState(feedFor(kind, at), next, at, deps);
    },
    /** Takes the kinds that the cluster serves, and which of those that are watched by name it does not. */
    takeKinds(kinds: readonly WatchedKind[], absent: readonly GroupKind[], at: number): boolean {
      let changed = !known;
      known = true;
      for (const kind of kinds) {
        const feed = feedFor(kind, at);
        if (feed.version !== kind.version || feed.namespaced !== kind.namespaced) changed = true;
        feed.version = kind.version;
        feed.namespaced = kind.namespaced;
        if (feed.state === 'absent') changed = publish(feed, { state: 'syncing' }, at, deps) || changed;
      }
      for (const kind of absent) changed = publish(feedFor(kind, at), { state: 'absent' }, at, deps) || changed;
      const served = new Set([...kinds, ...absent].map(kindKey));
      for (const [id, feed] of feeds) {
        if (feed.version !== null && !served.has(id)) changed = publish(feed, { state: 'absent' }, at, deps) || changed;
      }
      const isServed = ({ kind, version }: Feed): boolean => version === null || served.has(kindKey(kind));
      for (const { kind } of surplusOf(feeds.values(), isServed)) feeds.delete(kindKey(kind));
      return changed;
    },
    /** Takes the number of kinds without objects that are probed now and then instead of watched, and how long a round of probes takes. */
    takeProbes(event: Extract<ClusterEvent, { readonly type: 'probes' }>): boolean {
      const changed = event.kinds !== (probes?.kinds ?? 0);
      probes = event.kinds === 0 ? null : { kinds: event.kinds, longest: event.longest };
      return changed;
    },
    probes: (): CurrentCluster['probes'] => probes,
    /** Something was heard of a kind. */
    receive(kind: GroupKind, at: number): void {
      const feed = feeds.get(kindKey(kind));
      if (feed) feed.lastWordAt = at;
    },
    /** Publishes losses that are due at `now` (ms). */
    settle(now: number): boolean {
      let changed = false;
      for (const feed of feeds.values()) {
        if (feed.losing && now >= feed.losing.at + lossGrace)
          changed = publish(feed, feed.losing.state, feed.losing.at, deps) || changed;
      }
      return changed;
    },
    /** The next time at which `settle` has something to do, null for never. */
    next(): number | null {
      const losses = [...feeds.values()].flatMap(({ losing }) => losing?.at ?? []);
      return losses.length === 0 ? null : Math.min(...losses) + lossGrace;
    },
  };
}
