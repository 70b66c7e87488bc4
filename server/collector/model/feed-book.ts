import type { CurrentCluster, CurrentFeed } from '#lib/domain/current.ts';
import { isSignOfLife } from '#lib/domain/signs-of-life.ts';
import type { CoverageChange } from '#server/store/port.ts';
import { faultWords } from './fault-words.ts';
import { blindOf, reasonOf, sessionState } from './feed-words.ts';
import type { ClusterEvent, ClusterFault, FeedState, GroupKind, WatchedKind } from '../clusters/cluster-event.ts';

/** A lost feed or session is called lost only after this long, so that a reconnect does not flash (ms). */
export const lossGrace = 8_000;
/** How long a cluster may be vouched for after its last word (ms): three pings. */
export const vouchFor = 45_000;

interface Feed {
  readonly kind: GroupKind;
  version: string | null;
  namespaced: boolean;
  /** What is published. */
  state: CurrentFeed['state'];
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

/** A kind without objects that is not watched waits so long for a look where nothing else is told (ms). */
const longestRound = 60_000;

/** What others know of a cluster. */
type OfOthers = Pick<CurrentCluster, 'controllers' | 'conflicts' | 'conflictsTotal' | 'clockAhead'>;

/** How one cluster is being seen: its session and its feeds, with the grace before a loss counts. */
export interface FeedBook {
  /** Takes what concerns session and feeds; tells whether anything that is published changed. */
  take(event: ClusterEvent): boolean;
  /** Publishes losses that are due at `now` (ms); tells whether anything changed. */
  settle(now: number): boolean;
  /** The next time at which `settle` has something to do, null for never. */
  next(): number | null;
  /** Whether objects of a kind can be seen now: yes, no, or unknown to this cluster (never watched here). */
  sees(kind: GroupKind): 'yes' | 'no' | 'unwatched';
  /** Whether objects of a kind are watched here, whatever the state of its feed: of some kinds only signs of life are looked at. */
  knows(kind: GroupKind): boolean;
  /** Whether objects of a kind have a namespace, as discovery tells; true for a kind that it does not tell of. */
  isNamespaced(kind: GroupKind): boolean;
  /** Whether a kind is not watched, but only looked at now and then, or not at all yet. */
  isLookedAt(kind: GroupKind): boolean;
  /** How old what is known of a kind may be (ms): 0 where it is watched, the round of the looks where there are only looks. */
  lag(kind: GroupKind): number;
  /** Every known kind has had its first list, or has been refused one, and has been opened again where it was cut off. */
  inStep(): boolean;
  count(kind: GroupKind, objects: number): void;
  /** Whether no object of a kind is counted. */
  isEmpty(kind: GroupKind): boolean;
  /** Changes of what was being observed since the last call, for the record. */
  coverage(): readonly CoverageChange[];
  /** The cluster's record at `now` (ms), with what others know of it. */
  current(now: number, others: OfOthers): CurrentCluster;
  /** Since when the cluster is being seen at `now` (ms), a loss within its grace included; null where it is not, or says nothing. */
  liveSince(now: number): number | null;
  /**
   * Whether the cluster was ever lost, as far as is known: by an earlier collector, by this one, or in a silence too long to vouch for
   * it. A time in which no collector ran is none.
   */
  wasLost(): boolean;
}

function key(kind: GroupKind): string {
  return `${kind.group}/${kind.kind}`;
}

const observed: Readonly<Record<CurrentFeed['state'], boolean>> = {
  syncing: false,
  live: true,
  silent: false,
  idle: true,
  forbidden: false,
  absent: false,
  failed: false,
};

/** What was being seen when an earlier collector spoke last was not seen since: nothing ran that could have. */
function unattended(cluster: string, startedAt: number, before: CurrentCluster | null): readonly CoverageChange[] {
  if (before === null || before.lastWordAt === null) return [];
  if (before.state !== 'live' && before.state !== 'connecting') return [];
  const at = Math.min(before.lastWordAt, startedAt);
  return [{ cluster, kind: null, at, observed: false, state: 'unobserved', reason: 'The collector was not running' }];
}

/**
 * Since when (ms) a cluster is not seen that is not seen at the start, as the store remembers it: since it was lost, or since its last
 * word; since the start where nothing was ever heard.
 */
function unseenSince(startedAt: number, before: CurrentCluster | null): number {
  switch (before?.state) {
    case 'unreachable':
    case 'unauthorized':
    case 'misconfigured':
      return Math.min(before.since, startedAt);
    case 'live':
    case 'connecting':
    case 'declared':
    case undefined:
      return Math.min(before?.lastWordAt ?? startedAt, startedAt);
  }
}

/** Starts the book of one cluster at `startedAt` (ms); `before` is how the store remembers it. */
export function createFeedBook(
  name: string,
  labels: CurrentCluster['labels'],
  startedAt: number,
  before: CurrentCluster | null,
): FeedBook {
  const feeds = new Map<string, Feed>();
  /** What is restored is counted before its kind is known to be served. */
  const counts = new Map<string, number>();
  const changes: CoverageChange[] = [...unattended(name, startedAt, before)];
  let state: CurrentCluster['state'] = 'connecting';
  let since = startedAt;
  let reason: string | null = null;
  let protocol: CurrentCluster['protocol'] = before?.protocol ?? null;
  let version: string | null = before?.version ?? null;
  let lastWordAt: number | null = null;
  const saidBefore = before?.lastWordAt ?? null;
  const heardBefore = saidBefore === null ? null : Math.min(saidBefore, startedAt);
  let losing: { readonly at: number; readonly fault: ClusterFault } | null = null;
  let connected = false;
  let kindsKnown = false;
  let unread: CurrentCluster['unread'] = [];
  let looks: CurrentCluster['looks'] = null;
  /** When it was heard again after a silence too long to vouch for it (the machine may have slept). */
  let heardSince = startedAt;
  let lost = before !== null && before.state !== 'live';

  function feedFor(kind: GroupKind, at: number): Feed {
    const found = feeds.get(key(kind));
    if (found) return found;
    const feed: Feed = {
      kind: { group: kind.group, kind: kind.kind },
      version: null,
      namespaced: true,
      state: 'syncing',
      since: at,
      reason: null,
      fault: null,
      lastWordAt: null,
      everLive: false,
      cut: false,
      losing: null,
    };
    feeds.set(key(kind), feed);
    return feed;
  }

  function publish(feed: Feed, next: FeedState, at: number): boolean {
    feed.losing = null;
    const text = reasonOf(next);
    if (feed.state === next.state && feed.reason === text) return false;
    const was = observed[feed.state];
    if (feed.state !== next.state) feed.since = at;
    feed.state = next.state;
    feed.reason = text;
    feed.fault = 'fault' in next ? next.fault : null;
    if (observed[next.state]) feed.everLive = true;
    if (was !== observed[next.state]) {
      changes.push({
        cluster: name,
        kind: feed.kind,
        at,
        observed: observed[next.state],
        state: next.state,
        reason: text,
      });
    }
    return true;
  }

  function takeFeed(kind: GroupKind, next: FeedState, at: number): boolean {
    const feed = feedFor(kind, at);
    if (next.state !== 'syncing') feed.cut = next.state === 'failed' && next.fault.type === 'unreachable';
    switch (next.state) {
      case 'syncing':
        // A relist of a feed that was in step is no blindness: what was known stays known until the list has come.
        return feed.everLive ? false : publish(feed, next, at);
      case 'failed':
        if (!feed.everLive || !observed[feed.state]) return publish(feed, next, at);
        feed.losing ??= { at, state: next };
        return false;
      case 'live':
      case 'idle':
      case 'silent':
      case 'forbidden':
      case 'absent':
        return publish(feed, next, at);
    }
  }

  function takeKinds(kinds: readonly WatchedKind[], absent: readonly GroupKind[], at: number): boolean {
    let changed = !kindsKnown;
    kindsKnown = true;
    for (const kind of kinds) {
      const feed = feedFor(kind, at);
      if (feed.version !== kind.version || feed.namespaced !== kind.namespaced) changed = true;
      feed.version = kind.version;
      feed.namespaced = kind.namespaced;
      if (feed.state === 'absent') changed = publish(feed, { state: 'syncing' }, at) || changed;
    }
    for (const kind of absent) changed = publish(feedFor(kind, at), { state: 'absent' }, at) || changed;
    const served = new Set([...kinds, ...absent].map(key));
    for (const [id, feed] of feeds) {
      if (feed.version !== null && !served.has(id)) changed = publish(feed, { state: 'absent' }, at) || changed;
    }
    return changed;
  }

  function setState(next: CurrentCluster['state'], why: string | null, at: number): boolean {
    losing = null;
    if (state === next && reason === why) return false;
    if (next !== 'live') lost = true;
    if ((state === 'live') !== (next === 'live')) {
      changes.push({ cluster: name, kind: null, at, observed: next === 'live', state: next, reason: why });
    }
    // Not seen for another reason is not seen all the same.
    if ((state === 'live') !== (next === 'live')) since = at;
    else if (state === 'connecting') since = unseenSince(startedAt, before);
    state = next;
    reason = why;
    return true;
  }

  /** A session that stands shows a cluster only where at least one of its kinds can be read, or may yet be. */
  function look(at: number): boolean {
    if (!connected) return false;
    const blind = blindOf(feeds.values());
    if (blind) return setState(blind.state, blind.reason, Math.min(at, Math.max(since, blind.since)));
    return losing ? false : setState('live', null, at);
  }

  function touch(kind: GroupKind, at: number): void {
    lastWordAt = at;
    const feed = feeds.get(key(kind));
    if (feed) feed.lastWordAt = at;
  }

  return {
    take(event) {
      const isWord = !['disconnected', 'feed', 'no-cluster', 'looks', 'clock'].includes(event.type);
      if (isWord && lastWordAt !== null && event.at >= lastWordAt + vouchFor) {
        heardSince = event.at;
        lost = true;
      }
      switch (event.type) {
        case 'connected':
          lastWordAt = event.at;
          protocol = event.protocol;
          version = event.version ?? version;
          connected = true;
          losing = null;
          return look(event.at);
        case 'disconnected':
          connected = false;
          if (state !== 'live') return setState(sessionState(event.fault), faultWords(event.fault), event.at);
          losing ??= { at: event.at, fault: event.fault };
          return false;
        case 'no-cluster':
          return setState(
            'declared',
            'It stands for what plumbline.yaml declares; there is no cluster to read.',
            event.at,
          );
        case 'alive':
          lastWordAt = event.at;
          return false;
        case 'clock':
          return false;
        case 'kinds':
          lastWordAt = event.at;
          unread = event.unread ?? [];
          return [takeKinds(event.kinds, event.absent, event.at), look(event.at)].includes(true);
        case 'feed':
          return [takeFeed(event.kind, event.feed, event.at), look(event.at)].includes(true);
        case 'looks': {
          const { kinds, longest } = event;
          const changed = kinds !== (looks?.kinds ?? 0);
          looks = kinds === 0 ? null : { kinds, longest };
          return changed;
        }
        case 'sync-start':
        case 'applied':
        case 'deleted':
        case 'sync-end':
        case 'bookmark':
          touch(event.kind, event.at);
          return false;
        case 'leases':
        case 'deployments':
        case 'argo':
        case 'event':
          lastWordAt = event.at;
          return false;
      }
    },
    settle(now) {
      let changed = false;
      if (losing && now >= losing.at + lossGrace)
        changed = setState(sessionState(losing.fault), faultWords(losing.fault), losing.at);
      for (const feed of feeds.values()) {
        if (feed.losing && now >= feed.losing.at + lossGrace)
          changed = publish(feed, feed.losing.state, feed.losing.at) || changed;
      }
      return look(now) || changed;
    },
    next() {
      let next = losing ? losing.at + lossGrace : null;
      for (const feed of feeds.values()) {
        if (feed.losing && (next === null || feed.losing.at + lossGrace < next)) next = feed.losing.at + lossGrace;
      }
      return next;
    },
    sees(kind) {
      const feed = isSignOfLife(kind) ? undefined : feeds.get(key(kind));
      if (!feed) return kindsKnown ? 'unwatched' : 'no';
      return feed.state === 'absent' || observed[feed.state] ? 'yes' : 'no';
    },
    isNamespaced: (kind) => feeds.get(key(kind))?.namespaced !== false,
    knows: (kind) => feeds.has(key(kind)) && !isSignOfLife(kind),
    isLookedAt(kind) {
      const state = feeds.get(key(kind))?.state;
      return kindsKnown && !isSignOfLife(kind) && (state === undefined || state === 'idle' || state === 'syncing');
    },
    lag(kind) {
      if (feeds.get(key(kind))?.state !== 'idle') return 0;
      return Math.max(longestRound, looks?.longest ?? 0);
    },
    inStep() {
      if (!kindsKnown) return false;
      for (const feed of feeds.values()) if (feed.state === 'syncing' || feed.cut) return false;
      return true;
    },
    count: (kind, objects) => void counts.set(key(kind), objects),
    isEmpty: (kind) => (counts.get(key(kind)) ?? 0) === 0,
    coverage: () => changes.splice(0),
    wasLost: () => lost,
    liveSince: (now) =>
      state === 'live' && now < (lastWordAt ?? since) + vouchFor ? Math.max(since, heardSince) : null,
    current(now, others) {
      const word = lastWordAt ?? startedAt;
      return {
        name,
        labels,
        state,
        since,
        reason,
        protocol,
        version,
        lastWordAt: lastWordAt ?? heardBefore,
        validUntil: state === 'live' ? word + vouchFor : now,
        feeds: [...feeds.values()].map((feed) => ({
          group: feed.kind.group,
          kind: feed.kind.kind,
          version: feed.version,
          namespaced: feed.namespaced,
          state: feed.state,
          since: feed.since,
          reason: feed.reason,
          lastWordAt: feed.lastWordAt,
          objects: counts.get(key(feed.kind)) ?? 0,
        })),
        looks,
        unread,
        ...others,
      };
    },
  };
}
