import type { WireController, WireFeed } from '#lib/api/cluster.ts';
import type { Verdict } from '#lib/domain/verdict.ts';

/** How a feed is shown: its sign, its word, and whether the reader must know of it before believing the page. */
export interface FeedLook {
  readonly sign: Verdict | 'refused' | 'none';
  readonly word: string;
  readonly loud: boolean;
}

/** Kinds that are read beside the objects: leases and events are no objects of a reconciler, so none of them are counted. */
const besides: ReadonlySet<string> = new Set(['/Event', 'events.k8s.io/Event', 'coordination.k8s.io/Lease']);

/** Forbidden, absent, failed, silent and live but empty are different things, and look different. */
export function feedLook({ group, kind, state, objects }: WireFeed): FeedLook {
  switch (state) {
    case 'live':
      return objects === 0 && !besides.has(`${group}/${kind}`)
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

/** How a controller is shown. A lease that was never seen moving proves nothing. */
export function controllerLook({ state, lastMovedAt }: WireController): FeedLook {
  switch (state) {
    case 'alive':
      return { sign: 'converged', word: 'alive', loud: false };
    case 'dead':
      return { sign: 'stale', word: 'stopped', loud: true };
    case 'unknown':
      return { sign: 'unconfirmed', word: lastMovedAt === null ? 'never seen moving' : 'not known', loud: true };
  }
}

/** What to grant where kinds of one API group are forbidden. */
export function missingRule(feeds: readonly WireFeed[]): string {
  const group = feeds[0]?.group ?? '';
  const kinds = feeds.map(({ kind }) => kind).join(', ');
  return `missing rule: get, list and watch on ${kinds} in ${group === '' ? 'the core group' : group}`;
}
