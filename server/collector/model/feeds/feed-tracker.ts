import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import { isBesideKind } from '#lib/domain/observation/beside-kinds.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { seeing } from '#lib/domain/verdict/as-known-at.ts';
import { earliest } from '#lib/domain/time/earliest.ts';
import type { CoverageChange } from '#server/store/port/port.ts';
import type { ClusterEvent } from '../../clusters/cluster-event.ts';
import { createClusterVisibility, type Visibility } from './cluster-visibility.ts';
import { blindOf } from './feed-text.ts';
import { createKindFeeds, type KindFeeds } from './kind-feeds.ts';

/** A kind without objects that is not watched waits so long for a probe where nothing else is known (ms). */
const longestRound = 60_000;

/** Knowledge of others about a cluster. */
type OfOthers = Pick<
  CurrentCluster,
  'controllers' | 'conflicts' | 'conflictsTotal' | 'alarming' | 'clockAhead' | 'cautions'
>;

/** Sight of one cluster: its session and its feeds, with the grace before a loss counts. */
export type FeedTracker = ReturnType<typeof createFeedTracker>;

/** Gap since an earlier collector spoke last: what was being seen then was not seen since, as nothing ran that could have. */
function unattended(cluster: string, startedAt: number, before: CurrentCluster | null): readonly CoverageChange[] {
  if (before === null || before.lastWordAt === null) return [];
  if (before.state !== 'live' && before.state !== 'connecting') return [];
  const at = Math.min(before.lastWordAt, startedAt);
  return [{ cluster, kind: null, at, observed: false, state: 'unobserved', reason: 'The collector was not running' }];
}

/** Events by which a cluster shows that it is there. */
function isReceipt({ type }: ClusterEvent): boolean {
  return type !== 'disconnected' && type !== 'feed' && type !== 'no-cluster' && type !== 'probes' && type !== 'clock';
}

/** Answers about each kind, by its feed. */
function kindQueries(kinds: KindFeeds) {
  return {
    /** Tells if objects of a kind can be seen now: yes, no, or unknown to this cluster (never watched here). */
    sees(kind: GroupKind): 'yes' | 'no' | 'unwatched' {
      const feed = isBesideKind(kind) ? undefined : kinds.get(kind);
      if (!feed) return kinds.areKnown() ? 'unwatched' : 'no';
      return feed.state === 'absent' || seeing[feed.state] ? 'yes' : 'no';
    },
    /** True if objects of a kind are watched here, whatever the state of its feed: of some kinds only signs of life are looked at. */
    knows: (kind: GroupKind): boolean => kinds.get(kind) !== undefined && !isBesideKind(kind),
    /** True if objects of a kind have a namespace, as discovery tells; true for a kind that it does not tell of. */
    isNamespaced: (kind: GroupKind): boolean => kinds.get(kind)?.namespaced !== false,
    /** True if a kind is not watched, but only probed now and then, or not at all yet. */
    isProbed(kind: GroupKind): boolean {
      const state = kinds.get(kind)?.state;
      return (
        kinds.areKnown() && !isBesideKind(kind) && (state === undefined || state === 'idle' || state === 'syncing')
      );
    },
    /** Age that what is known of a kind may have (ms): 0 where it is watched, the round of the probes where it is only probed. */
    lag: (kind: GroupKind): number =>
      kinds.get(kind)?.state === 'idle' ? Math.max(longestRound, kinds.probes()?.longest ?? 0) : 0,
    /** Every known kind has had its first list, or has been refused one, and has been opened again where it was cut off. */
    inStep(): boolean {
      if (!kinds.areKnown()) return false;
      for (const feed of kinds.all()) if (feed.state === 'syncing' || feed.cut) return false;
      return true;
    },
  };
}

function publishedFeeds(kinds: KindFeeds, counts: ReadonlyMap<string, number>): CurrentFeed[] {
  return [...kinds.all()].map(({ kind, version, namespaced, state, since, reason, lastWordAt }) => {
    const objects = counts.get(kindKey(kind)) ?? 0;
    return { ...kind, version, namespaced, state, since, reason, lastWordAt, objects };
  });
}

/** Takes what concerns session and feeds; `assess`: whether the cluster is seen follows from both. */
function accept(session: Visibility, kinds: KindFeeds, assess: (at: number) => boolean, event: ClusterEvent): boolean {
  switch (event.type) {
    case 'connected':
      session.connect(event);
      return assess(event.at);
    case 'disconnected':
      return session.disconnect(event.fault, event.at);
    case 'no-cluster':
      return session.declare(event.at);
    case 'kinds':
      return [kinds.takeKinds(event.kinds, event.absent, event.at), assess(event.at)].includes(true);
    case 'feed':
      return [kinds.take(event.kind, event.feed, event.at), assess(event.at)].includes(true);
    case 'probes':
      return kinds.takeProbes(event);
    case 'sync-start':
    case 'applied':
    case 'deleted':
    case 'sync-end':
    case 'bookmark':
      kinds.receive(event.kind, event.at);
      return false;
    case 'alive':
    case 'clock':
    case 'leases':
    case 'deployments':
    case 'argo':
    case 'searched':
    case 'event':
      return false;
  }
}

/** Starts with nothing seen of a cluster at `startedAt` (ms); `before` is how the store remembers it. */
export function createFeedTracker(
  name: string,
  labels: CurrentCluster['labels'],
  startedAt: number,
  before: CurrentCluster | null,
) {
  const changes: CoverageChange[] = [...unattended(name, startedAt, before)];
  const note = (change: Omit<CoverageChange, 'cluster'>): void => void changes.push({ cluster: name, ...change });
  const session = createClusterVisibility(startedAt, before, note);
  const knownBefore = new Set(before?.feeds.map(kindKey));
  const kinds = createKindFeeds({
    note,
    unseenSince(kind, lastWordAt, at) {
      const { from, to } = session.unseen();
      const isNew = lastWordAt === null && !knownBefore.has(kindKey(kind));
      return isNew || (lastWordAt ?? 0) >= to ? at : Math.min(at, from);
    },
  });
  /** Counts by kind: what is restored is counted before its kind is known to be served. */
  const counts = new Map<string, number>();
  let unread: CurrentCluster['unread'] = [];

  function assess(at: number): boolean {
    return session.assess(blindOf(kinds.all()), at);
  }

  return {
    ...kindQueries(kinds),
    /** Takes what concerns session and feeds; tells whether anything that is published changed. */
    take(event: ClusterEvent): boolean {
      if (isReceipt(event)) session.receive(event.at);
      if (event.type === 'kinds') unread = event.unread ?? [];
      return accept(session, kinds, assess, event);
    },
    /** Publishes losses that are due at `now` (ms); tells whether anything changed. */
    settle: (now: number): boolean => [session.settle(now), kinds.settle(now), assess(now)].includes(true),
    /** The next time at which `settle` has something to do, null for never. */
    next: (): number | null => earliest(session.next(), kinds.next()),
    count(kind: GroupKind, objects: number): void {
      if (objects === 0) counts.delete(kindKey(kind));
      else counts.set(kindKey(kind), objects);
    },
    /** True if no object of a kind is counted. */
    isEmpty: (kind: GroupKind): boolean => (counts.get(kindKey(kind)) ?? 0) === 0,
    /** Changes of what was being observed since the last call, for the record. */
    coverage: (): readonly CoverageChange[] => changes.splice(0),
    /**
     * True if the cluster was ever lost, as far as is known: by an earlier collector, by this one, or in a silence too long to vouch for
     * it. A time in which no collector ran is none.
     */
    wasLost: session.wasLost,
    /** Since when the cluster is being seen at `now` (ms), a loss within its grace included; null where it is not, or says nothing. */
    liveSince: session.liveSince,
    /** Since when the cluster is not seen, or was not the last time (ms). */
    unseenFrom: (): number => session.unseen().from,
    /** The last moment up to `now` (ms) at which anything could be heard of the cluster: before now while a loss is within its grace. */
    heardUntil: session.heardUntil,
    /** The cluster's record at `now` (ms), with what others know of it. */
    current: (now: number, others: OfOthers): CurrentCluster => ({
      name,
      labels,
      ...session.current(now),
      feeds: publishedFeeds(kinds, counts),
      probes: kinds.probes(),
      unread,
      ...others,
    }),
  };
}
