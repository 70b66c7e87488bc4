import { isBesideKind } from '#lib/domain/observation/beside-kinds.ts';
import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ClusterFault, FeedState } from '../../clusters/cluster-event.ts';

/** Why a kind cannot be read, for people; null where it can, or may yet. */
export function reasonOf(state: FeedState): string | null {
  switch (state.state) {
    case 'forbidden':
    case 'failed':
      return faultText(state.fault);
    case 'silent':
      return 'The watch has said nothing past its bookmarks.';
    case 'absent':
      return 'The cluster does not serve this kind.';
    case 'syncing':
    case 'live':
    case 'idle':
      return null;
  }
}

/** The state of a cluster whose session, or whose every kind, fails like this. */
export function sessionState(fault: ClusterFault): CurrentCluster['state'] {
  switch (fault.type) {
    case 'unauthorized':
    case 'forbidden':
      return 'unauthorized';
    case 'credentials':
      return 'misconfigured';
    case 'unreachable':
    case 'throttled':
    case 'server':
    case 'protocol':
      return 'unreachable';
  }
}

/** One kind, as far as it tells whether its cluster can be seen. */
interface Read {
  readonly kind: GroupKind;
  readonly state: CurrentFeed['state'];
  readonly reason: string | null;
  readonly fault: ClusterFault | null;
  /** Since when it is in this state (ms). */
  readonly since: number;
  /** It failed for want of a connection, and no stream has been opened since: it may be read yet. */
  readonly cut: boolean;
}

function unreadable(feed: Read): boolean {
  const { state, cut } = feed;
  return state === 'forbidden' || state === 'silent' || (state === 'failed' && !cut);
}

/** State, reason and begin (ms) of a cluster with no kind that can be read; null if one can, or may yet. An absent kind hides nothing. */
export function blindOf(
  feeds: Iterable<Read>,
): { readonly state: CurrentCluster['state']; readonly reason: string; readonly since: number } | null {
  let worst: Read | null = null;
  let since = 0;
  for (const feed of feeds) {
    if (feed.state === 'absent' || isBesideKind(feed.kind)) continue;
    if (!unreadable(feed)) return null;
    since = Math.max(since, feed.since);
    // Refused is what it is only where every kind is.
    if (worst === null || (worst.state === 'forbidden' && feed.state !== 'forbidden')) worst = feed;
  }
  if (worst === null) return null;
  const state = worst.fault ? sessionState(worst.fault) : 'unreachable';
  return { state, since, reason: `None of its kinds can be read: ${worst.reason ?? worst.state}` };
}

/** Node's error codes (errno(3), dns) as they are said to people. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'the connection is refused'],
  [/ECONNRESET|EPIPE|socket hang up|session has been destroyed|NGHTTP2/i, 'the connection was cut'],
  [/ETIMEDOUT|timed? ?out/i, 'no answer in time'],
  [/ENOTFOUND|EAI_AGAIN/, 'its name cannot be resolved'],
  [/EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN/, 'no route leads to it'],
];

/** Why a cluster or kind cannot be read, as a clause for people: a known code in words, everything else as it was received. */
export function faultText(fault: ClusterFault): string {
  if (fault.type !== 'unreachable') return fault.message;
  return codes.find(([pattern]) => pattern.test(fault.message))?.[1] ?? fault.message;
}
