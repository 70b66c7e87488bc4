import { type GroupKind, kindKey } from '../observation/ref.ts';

/** Kinds that are read for what they tell of others: they are no objects of a reconciler, and none of them is counted. */
const beside: ReadonlySet<string> = new Set([
  '/Event',
  'events.k8s.io/Event',
  'coordination.k8s.io/Lease',
  'apps/Deployment',
  'apps/StatefulSet',
  '/ConfigMap',
]);

/** True if a kind is read for the signs of life in it: leases and Deployments of controllers, events of objects. */
export function isLivenessKind(kind: GroupKind): boolean {
  return beside.has(kindKey(kind));
}

/** The lease of kube-controller-manager, which writes the status of Deployments and StatefulSets. */
export const statusKeeper = { namespace: 'kube-system', name: 'kube-controller-manager' } as const;
