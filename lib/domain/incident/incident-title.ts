import { causeTitle } from '../cause/cause.ts';
import { namesOnClusters } from '../cause/failing-alike.ts';
import type { Cause } from '../verdict/judgement.ts';
import type { Incident, Roots } from './incident.ts';

/**
 * An incident in words, without a verb: "kustomize-controller on stg-edge", "checkout on 3 clusters", "cluster ap-1 lost",
 * "3 clusters lost: a, b and c".
 */
export function incidentTitle({ cause, roots }: Pick<Incident, 'cause' | 'roots'>): string {
  if (!isShared(roots)) return causeWords(cause);
  switch (cause.type) {
    case 'object':
      return namesOnClusters(roots.names, roots.count, roots.clusters === 1 ? cause.ref.cluster : roots.clusters);
    case 'cluster':
      return `${roots.count} clusters lost: ${listed(roots)}`;
    case 'controller':
    case 'feed':
    case 'shared-error':
    case 'outside':
      return causeTitle(cause);
  }
}

/** True if several objects or clusters fail alike in an incident: its cause is then only the first of them. */
export function isShared({ count, clusters }: Roots): boolean {
  return count > 1 || clusters > 1;
}

/** A cause that something was taken for, in words. */
export function causeWords(cause: Cause): string {
  return cause.type === 'cluster' ? `cluster ${causeTitle(cause)} lost` : causeTitle(cause);
}

/** "a, b and c", "a, b, c and 197 more" */
function listed({ names, count }: Roots): string {
  const more = count - names.length;
  if (more > 0) return `${names.join(', ')} and ${more} more`;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
