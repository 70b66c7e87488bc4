import type { WireFeed } from '#lib/api/cluster.ts';
import { isLivenessKind } from '#lib/domain/heartbeat/liveness-kinds.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';

/** Look of a feed: its sign, its word, and whether the reader must know of it before believing the page. */
export interface FeedLook {
  readonly sign: Verdict | 'refused' | 'none';
  readonly word: string;
  readonly loud: boolean;
}

/** Forbidden, absent, failed, silent and live but empty are different things, and look different. */
export function feedLook(feed: WireFeed): FeedLook {
  const { state, objects } = feed;
  switch (state) {
    case 'live':
      return objects === 0 && !isLivenessKind(feed)
        ? { sign: 'unconfirmed', word: 'live, empty', loud: false }
        : { sign: 'converged', word: 'live', loud: false };
    case 'syncing':
      return { sign: 'progressing', word: 'being read', loud: false };
    case 'idle':
      return { sign: 'none', word: 'no object', loud: false };
    case 'absent':
      return { sign: 'none', word: 'not served', loud: false };
    case 'silent':
      return { sign: 'stale', word: 'silent', loud: true };
    case 'failed':
      return { sign: 'unobserved', word: 'failed', loud: true };
    case 'forbidden':
      return { sign: 'refused', word: 'forbidden', loud: true };
  }
}

/** Rule to grant where kinds of one API group are forbidden. */
export function missingRule(feeds: readonly WireFeed[]): string {
  const group = feeds[0]?.group ?? '';
  const rest = feeds.filter(({ kind }) => group !== '' || kind !== 'ConfigMap');
  if (rest.length < feeds.length) {
    const byName = `${rest.length === 0 ? 'missing rule: ' : ''}get on ConfigMap argocd-cm and argocd-app-controller-shard-cm`;
    return rest.length === 0 ? byName : `${missingRule(rest)}; ${byName}`;
  }
  const kinds = feeds.map(({ kind }) => kind).join(', ');
  // Leases and Deployments are only looked at; Events are followed.
  const verbs = group !== '' && feeds.every(isLivenessKind) ? 'get and list' : 'get, list and watch';
  return `missing rule: ${verbs} on ${kinds} in ${group === '' ? 'the core group' : group}`;
}
