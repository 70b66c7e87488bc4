import { withoutEnd } from '../../text/without-end.ts';
import { lowerFirst } from './lower-first.ts';
import type { CurrentCluster, CurrentController, CurrentFeed, CurrentObject } from '../record/current.ts';
import type { Verdict } from './verdict.ts';

/** Under which state of its feed a kind is seen: what was last received of it may still be believed. `idle` proves that there is none. */
export const seeing: Readonly<Record<CurrentFeed['state'], boolean>> = {
  syncing: false,
  live: true,
  silent: false,
  idle: true,
  forbidden: false,
  absent: false,
  failed: false,
};

/** State of a cluster at a moment: its own, or `unobserved` where nobody has vouched for it up to then. */
export interface ClusterAsKnown {
  readonly state: CurrentCluster['state'] | 'unobserved';
  /** ms since the epoch. `at-least`: nothing was ever received of it, so it may have been like that for longer. */
  readonly since: number;
  readonly bound: 'exact' | 'at-least';
  readonly reason: string | null;
  /** Weaknesses of how it is reached and named, a sentence each. */
  readonly cautions: readonly string[];
}

/**
 * Cluster as it may be told at `now` (ms). The collector renews `validUntil` while its session lives;
 * past it, nobody looks any more, whatever the record says.
 */
export function clusterAsKnownAt(cluster: CurrentCluster, now: number): ClusterAsKnown {
  if (cluster.state === 'live' && now >= cluster.validUntil) {
    return {
      state: 'unobserved',
      since: cluster.validUntil,
      bound: 'exact',
      reason: 'The collector has not vouched for this cluster since.',
      cautions: cluster.cautions,
    };
  }
  const { state, since, lastWordAt, reason, cautions } = cluster;
  return { state, since, bound: lastWordAt === null ? 'at-least' : 'exact', reason, cautions };
}

/** True under the states of a cluster that is out of sight: it is not seen, and not only being connected to. */
export function isOutOfSight(state: ClusterAsKnown['state']): boolean {
  switch (state) {
    case 'unreachable':
    case 'unauthorized':
    case 'misconfigured':
    case 'unobserved':
      return true;
    case 'connecting':
    case 'live':
    case 'declared':
      return false;
  }
}

/** The feed of a kind on a cluster, or null where the record names none. */
export function feedOf(
  cluster: CurrentCluster,
  kind: { readonly group: string; readonly kind: string },
): CurrentFeed | null {
  const { feeds } = cluster;
  // It is asked for each object of a fleet: nothing is made for it.
  for (let index = 0; index < feeds.length; index++) {
    const feed = feeds[index];
    if (feed?.kind === kind.kind && feed.group === kind.group) return feed;
  }
  return null;
}

/** A clause with its reason as one sentence with one full stop. */
function withReason(clause: string, reason: string | null): string {
  const text = withoutEnd(reason ?? '', '. \t\r\n');
  return text === '' ? `${clause}.` : `${clause}: ${lowerFirst(text)}.`;
}

/** The last time (ms) at which something was known of an object. */
function lastKnown({ observedAt, onset }: CurrentObject): number {
  return Math.max(observedAt, onset.time);
}

/** Why an object cannot be seen now, and since when; null where it can. A verdict that time alone brought since then was not seen either. */
function blindness(
  object: CurrentObject,
  cluster: CurrentCluster | null,
  now: number,
): { since: number; text: string; feed: boolean } | null {
  if (!cluster) return { since: lastKnown(object), text: 'Its cluster is not configured any more.', feed: false };
  if (cluster.state !== 'live' || now >= cluster.validUntil) {
    const known = clusterAsKnownAt(cluster, now);
    return {
      // What is being connected to again has been seen until it was lost, which `since` does not tell.
      since: known.state === 'connecting' ? Math.max(known.since, object.onset.time) : known.since,
      text: withReason(`Cluster ${cluster.name} is not observed`, known.reason),
      feed: false,
    };
  }
  const feed = feedOf(cluster, object.ref);
  if (!feed)
    return { since: lastKnown(object), text: `${object.ref.kind} is not read on ${cluster.name}.`, feed: true };
  if (!seeing[feed.state]) {
    return {
      since: feed.since,
      text: withReason(`${object.ref.kind} on ${cluster.name} is ${feed.state}`, feed.reason),
      feed: true,
    };
  }
  return null;
}

function beneath(object: CurrentObject): Verdict {
  return object.was !== null && (object.verdict === 'unobserved' || object.verdict === 'stale')
    ? object.was
    : object.verdict;
}

/**
 * Object as it may be told at `now` (ms): the stored record, unless nobody sees the object any more (`unobserved`)
 * or the proof that its verdict rested on has run out (`stale`). Pure, applied on every read: pages, API, SSE, badges, CLI.
 * A green never outlives its proof, whoever has died.
 */
export function asKnownAt<O extends CurrentObject>(object: O, cluster: CurrentCluster | null, now: number): O {
  // What nothing reports on is unobserved for good: no cluster that is lost could hide more of it.
  if (object.role === 'declared') return object;
  const blind = blindness(object, cluster, now);
  if (blind) {
    const since = Math.min(blind.since, now);
    const onset =
      object.verdict === 'unobserved' && object.onset.time <= since
        ? object.onset
        : { time: since, bound: 'exact' as const, noticedAt: since };
    const { awaySince } = object;
    return {
      ...object,
      verdict: 'unobserved',
      was: beneath(object),
      reconciling: false,
      rolling: false,
      reason: 'NotObserved',
      sentence: blind.text,
      names: [],
      onset,
      awaySince: awaySince !== null && awaySince.time <= since ? awaySince : onset,
      rootCause:
        cluster && blind.feed
          ? { type: 'feed', cluster: object.ref.cluster, group: object.ref.group, kind: object.ref.kind }
          : { type: 'cluster', cluster: object.ref.cluster },
    };
  }
  if (object.validUntil !== null && now >= object.validUntil && object.verdict !== 'stale') {
    if (object.verdict === 'suspended') return object;
    const onset = { time: object.validUntil, bound: 'exact' as const, noticedAt: object.validUntil };
    return {
      ...object,
      verdict: 'stale',
      was: beneath(object),
      reconciling: false,
      rolling: false,
      reason: 'NoSignOfLife',
      sentence: 'No sign of life of its loop has come within its bound, so its last word proves nothing.',
      names: [],
      onset,
      awaySince: object.awaySince ?? onset,
    };
  }
  return object;
}

/** The next time (ms, after `now`) at which `asKnownAt` may answer differently without any write; null for never. */
export function expiryOf(object: CurrentObject, now: number): number | null {
  return object.validUntil !== null && object.validUntil > now ? object.validUntil : null;
}

/** True if a controller of the record may still be called alive at `now`: by its pods, or its lease moved within duration + 15 s. */
export function controllerAlive(controller: CurrentController, now: number): boolean {
  if (controller.state !== 'alive') return false;
  if (controller.deployment === 'available') return true;
  if (controller.lastMovedAt === null) return false;
  return now < controller.lastMovedAt + (controller.durationSeconds ?? 35) * 1000 + 15_000;
}
