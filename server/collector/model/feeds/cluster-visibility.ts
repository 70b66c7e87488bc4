import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { CoverageChange } from '#server/store/port/port.ts';
import type { ClusterEvent, ClusterFault } from '../../clusters/cluster-event.ts';
import { sessionState, faultText } from './feed-text.ts';

/** A lost feed or session is called lost only after this long, so that a reconnect does not flash (ms). */
export const lossGrace = 8_000;
/** Time for which a cluster may be vouched for after it was heard of last (ms): three pings. */
export const vouchFor = 45_000;

const declaredOnly = 'It stands for what plumbline.yaml declares; there is no cluster to read.';

/** Takes a change of what is being observed, for the record; `kind` is null for the whole cluster. */
export type NoteCoverage = (change: Omit<CoverageChange, 'cluster'>) => void;

type Published = Pick<
  CurrentCluster,
  'state' | 'since' | 'reason' | 'protocol' | 'version' | 'lastWordAt' | 'validUntil'
>;

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

/** State of a cluster whose session failed like this, and its reason. */
function stateAfter(fault: ClusterFault): readonly [CurrentCluster['state'], string] {
  return [sessionState(fault), faultText(fault)];
}

export type Visibility = ReturnType<typeof createClusterVisibility>;

/**
 * Tells if a cluster is being seen, by its session, with the grace before a loss counts. Whoever changes it is told if
 * anything that is published changed. Times in ms. Starts unconnected at `startedAt`; `before` is how the store
 * remembers the cluster.
 */
export function createClusterVisibility(startedAt: number, before: CurrentCluster | null, note: NoteCoverage) {
  let state: CurrentCluster['state'] = 'connecting';
  let since = startedAt;
  let reason: string | null = null;
  let protocol: CurrentCluster['protocol'] = before?.protocol ?? null;
  let version: string | null = before?.version ?? null;
  let lastWordAt: number | null = null;
  const receivedBefore = typeof before?.lastWordAt === 'number' ? Math.min(before.lastWordAt, startedAt) : null;
  let losing: { readonly at: number; readonly fault: ClusterFault } | null = null;
  let connected = false;
  /** When it was heard again after a silence too long to vouch for it (the machine may have slept). */
  let receivedSince = startedAt;
  let lost = before !== null && before.state !== 'live';
  /** Last time in which it was not seen; `to` is Infinity while it is not. */
  let unseen = { from: unseenSince(startedAt, before), to: Infinity };

  function setState(next: CurrentCluster['state'], why: string | null, at: number): boolean {
    losing = null;
    if (state === next && reason === why) return false;
    if (next !== 'live') lost = true;
    if ((state === 'live') !== (next === 'live'))
      note({ kind: null, at, observed: next === 'live', state: next, reason: why });
    if (next === 'live') unseen = { from: state === 'connecting' ? unseen.from : since, to: at };
    // Not seen for another reason is not seen all the same.
    if ((state === 'live') !== (next === 'live')) since = at;
    else if (state === 'connecting') since = unseenSince(startedAt, before);
    state = next;
    reason = why;
    return true;
  }

  return {
    /** The cluster has said something. */
    receive(at: number): void {
      if (lastWordAt !== null && at >= lastWordAt + vouchFor) {
        receivedSince = at;
        lost = true;
      }
      lastWordAt = at;
    },
    connect(event: Extract<ClusterEvent, { readonly type: 'connected' }>): void {
      protocol = event.protocol;
      version = event.version ?? version;
      connected = true;
      losing = null;
    },
    disconnect(fault: ClusterFault, at: number): boolean {
      connected = false;
      if (state !== 'live') return setState(...stateAfter(fault), at);
      losing ??= { at, fault };
      return false;
    },
    /** It stands for what is declared: there is none to be seen. */
    declare: (at: number): boolean => setState('declared', declaredOnly, at),
    /** A session that stands shows a cluster only where at least one of its kinds can be read, or may yet be; else `blind` says why not. */
    assess(blind: { state: CurrentCluster['state']; reason: string; since: number } | null, at: number): boolean {
      if (!connected) return false;
      if (blind) return setState(blind.state, blind.reason, Math.min(at, Math.max(since, blind.since)));
      return losing ? false : setState('live', null, at);
    },
    /** Publishes a loss that is due at `now`. */
    settle: (now: number): boolean =>
      losing !== null && now >= losing.at + lossGrace && setState(...stateAfter(losing.fault), losing.at),
    /** The next time at which `settle` has something to do, null for never. */
    next: (): number | null => losing && losing.at + lossGrace,
    liveSince: (now: number): number | null =>
      state === 'live' && now < (lastWordAt ?? since) + vouchFor ? Math.max(since, receivedSince) : null,
    /** The last moment up to `now` (ms) at which anything could be heard: before now while a loss is within its grace. */
    heardUntil: (now: number): number => (losing === null ? now : Math.min(now, losing.at)),
    wasLost: (): boolean => lost,
    /** Last time in which the cluster was not seen (ms); `to` is Infinity while it is not. */
    unseen: (): { readonly from: number; readonly to: number } =>
      state === 'live' || state === 'connecting' ? unseen : { from: since, to: Infinity },
    current(now: number): Published {
      const validUntil = state === 'live' ? (lastWordAt ?? startedAt) + vouchFor : now;
      return { state, since, reason, protocol, version, lastWordAt: lastWordAt ?? receivedBefore, validUntil };
    },
  };
}
