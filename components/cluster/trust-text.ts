import type { WireController, WireFeed } from '#lib/api/cluster.ts';
import { countOf } from '#lib/format/number.ts';
import { isLivenessKind } from '#lib/domain/heartbeat/liveness-kinds.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';

/** Appearance of a controller: if its loop turns, by its lease and its Deployment. */
export function controllerAppearance(controller: WireController): FeedAppearance {
  switch (controller.state) {
    case 'alive':
      return { sign: 'converged', word: 'alive', loud: false };
    case 'dead':
      return { sign: 'stale', word: deadLabel(controller), loud: true };
    case 'unknown':
      return { sign: 'unconfirmed', word: 'not known', loud: true };
  }
}

function deadLabel({ deployment }: WireController): string {
  switch (deployment) {
    case 'available':
      return 'stuck';
    case 'unavailable':
      return 'no pod';
    case 'scaled-to-zero':
      return 'scaled to 0';
    case 'unknown':
      return 'stopped';
  }
}

/** Why it is not known to live, and what that means; null where it lives. */
export function controllerWhy(controller: WireController): string | null {
  if (controller.state === 'alive') return null;
  const { objects } = controller;
  const depends =
    objects !== null && objects > 0
      ? `. ${countOf(objects, 'object')} ${objects === 1 ? 'depends' : 'depend'} on it.`
      : '';
  return why(controller) + depends;
}

function why({ state, lease, lastMovedAt, durationSeconds, deployment }: WireController): string {
  const term = durationSeconds === null ? '' : `; it should within ${durationSeconds} s`;
  if (state === 'dead') {
    switch (deployment) {
      case 'available':
        return `its pod is available, but its lease does not move any more${term}`;
      case 'unavailable':
        return 'its Deployment has no pod that is available';
      case 'scaled-to-zero':
        return 'its Deployment is scaled to 0';
      case 'unknown':
        return `its lease does not move any more${term}`;
    }
  }
  if (lease === null) return 'neither its Deployment nor a lease of it can be seen';
  return lastMovedAt === null
    ? `its lease has not moved since it is watched${term}`
    : 'nobody has been able to look at its lease lately';
}

/** Run of a controller: its version and the pod that holds its lease, or held it last; '' where neither is known. */
export function controllerRun({ state, version, holder, deployment }: WireController): string {
  const parts = [
    version ?? '',
    holder === null ? '' : `${state === 'alive' ? '' : 'last '}held by ${holder}`,
    deployment === 'available' ? 'pod available' : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Appearance of a feed: its sign, its word, and whether the reader must know of it before believing the page. */
export interface FeedAppearance {
  readonly sign: Verdict | 'refused' | 'none';
  readonly word: string;
  readonly loud: boolean;
}

/** Forbidden, absent, failed, silent and live but empty are different things, and look different. */
export function feedAppearance(feed: WireFeed): FeedAppearance {
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
