import type { WireController } from '#lib/api/cluster.ts';
import { countOf } from '#lib/format/number.ts';
import type { FeedLook } from './feed-text.ts';

/** Look of a controller: if its loop turns, by its lease and its Deployment. */
export function controllerLook(controller: WireController): FeedLook {
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
  const depends = objects > 0 ? `. ${countOf(objects, 'object')} ${objects === 1 ? 'depends' : 'depend'} on it.` : '';
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
