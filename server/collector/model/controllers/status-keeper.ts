// Kubernetes' own controllers write the status of Deployments: only while they live it says what is.
import { leaseLook, lookAtLease, type LeaseTrack } from '#lib/domain/heartbeat/lease.ts';
import { statusKeeper } from '#lib/domain/heartbeat/liveness-kinds.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { ObservedLease } from '../../clusters/cluster-event.ts';

/**
 * So long after kube-controller-manager works again (ms) it has told of every node that died with it: its
 * --node-monitor-grace-period is 50 s (Kubernetes 1.32 on), it looks each 5 s, and a status is written a moment later.
 */
const settlesIn = 60_000;
/**
 * Where no lease of its own is to be seen (K3s runs it in the process of its API server, a hosted control plane may hide it), it
 * is taken to be back so long after its API server is (ms).
 */
const unseenPatience = 5 * minute;

/** Tells by the lease of kube-controller-manager whether the status of a Deployment is of now. */
export type StatusKeeper = ReturnType<typeof createStatusKeeper>;

/** Nothing is known of it. */
export function createStatusKeeper() {
  let seenSince: number | null = null;
  /** Of its lease, since the cluster is seen (again). */
  let track: LeaseTrack | null = null;
  /** Since when its lease moves without a pause (ms). */
  let turnsSince: number | null = null;

  function turns(at: number): boolean {
    const seen = leaseLook(track, at);
    return seen === 'moving' || seen === 'late';
  }

  return {
    /** Takes the leases of a namespace as they are listed at `at` (ms), and gives those that are not its own. */
    take(namespace: string, leases: readonly ObservedLease[], at: number): readonly ObservedLease[] {
      if (namespace !== statusKeeper.namespace) return leases;
      const lease = leases.find(({ name }) => name === statusKeeper.name) ?? null;
      if (lease || track) track = lookAtLease(track, lease, at);
      turnsSince = turns(at) ? (turnsSince ?? at) : null;
      return leases.filter((one) => one !== lease);
    },
    /** The cluster is seen again since `at` (ms). */
    doubt(at: number): void {
      seenSince = at;
      track = null;
      turnsSince = null;
    },
    /** True if a status that is read at `at` (ms) is of now, after the cluster was out of sight. */
    vouches(at: number): boolean {
      if (track === null) return seenSince !== null && at >= seenSince + unseenPatience;
      return turnsSince !== null && turns(at) && at >= turnsSince + settlesIn;
    },
  };
}
