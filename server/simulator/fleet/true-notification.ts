// What the demo's script means Flux itself to tell of an object, cluster by cluster. It shares nothing with the code that reads Alerts.
import type { StatedNow } from '../truth.ts';

/** Meant outcome: "told", or "not-told" with the link that is broken; null of what the script does not say. */
export type TrueNotification = 'told' | `not-told ${'event' | 'suspended' | 'messages' | 'provider' | 'alert'}`;

const fluxKinds: ReadonlySet<string> = new Set(['Kustomization', 'HelmRelease', 'GitRepository', 'OCIRepository']);

/** Notification that the script means Flux to send of an object on the clusters that have an Alert. */
export function intendedNotification({ expected, statement }: StatedNow): TrueNotification | null {
  const { ref, verdict } = expected;
  if (!fluxKinds.has(ref.kind)) return null;
  switch (verdict) {
    case 'behind':
    case 'waiting':
    case 'stale':
    case 'suspended':
      return 'not-told event';
    case 'diverged':
    case 'unhealthy':
      // What fails by another may or may not send an event.
      return statement.cause === undefined && ref.kind === 'Kustomization' ? ofFailing(ref.cluster, verdict) : null;
    case 'drifted':
      return ref.cluster === 'stg-us' ? 'not-told provider' : null;
    default:
      return null;
  }
}

function ofFailing(cluster: string, verdict: 'diverged' | 'unhealthy'): TrueNotification | null {
  switch (cluster) {
    case 'eu-west-3':
      return 'told';
    case 'ap-south-1':
      return verdict === 'unhealthy' ? 'not-told messages' : null;
    case 'us-east-2':
      return 'not-told suspended';
    case 'stg-us':
      return 'not-told alert';
    default:
      return null;
  }
}
