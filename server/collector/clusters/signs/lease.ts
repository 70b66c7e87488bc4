import { numberAt, textAt, timeAt } from '#lib/foreign.ts';
import type { ObservedLease } from '../cluster-event.ts';

/** A coordination.k8s.io/v1 Lease; nothing where it has no name. */
export function readLease(lease: unknown): ObservedLease[] {
  const namespace = textAt(lease, 'metadata', 'namespace');
  const name = textAt(lease, 'metadata', 'name');
  if (namespace === null || name === null) return [];
  return [
    {
      namespace,
      name,
      holder: textAt(lease, 'spec', 'holderIdentity'),
      durationSeconds: numberAt(lease, 'spec', 'leaseDurationSeconds'),
      renewTime: timeAt(lease, 'spec', 'renewTime'),
      transitions: numberAt(lease, 'spec', 'leaseTransitions'),
    },
  ];
}
