// Kubernetes' own controllers write the status of Deployments: only while they live it says what is.
import { leaseState, withReading, type LeaseTrack } from '#lib/domain/heartbeat/lease.ts';
import { statusKeeper } from '#lib/domain/heartbeat/liveness-kinds.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { ObservedLease, ObservedDeployment } from '../../clusters/cluster-event.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { mayBeSince } from '#lib/domain/time/api-time.ts';

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
  let movingSince: number | null = null;

  function isMoving(at: number): boolean {
    const seen = leaseState(track, at);
    return seen === 'moving' || seen === 'late';
  }

  return {
    /** Takes the leases of a namespace as they are listed at `at` (ms), and gives those that are not its own. */
    take(namespace: string, leases: readonly ObservedLease[], at: number): readonly ObservedLease[] {
      if (namespace !== statusKeeper.namespace) return leases;
      const lease = leases.find(({ name }) => name === statusKeeper.name) ?? null;
      if (lease || track) track = withReading(track, lease, at);
      movingSince = isMoving(at) ? (movingSince ?? at) : null;
      return leases.filter((one) => one !== lease);
    },
    /** The cluster is seen again since `at` (ms). */
    doubt(at: number): void {
      seenSince = at;
      track = null;
      movingSince = null;
    },
    /** True if a status that is read at `at` (ms) is of now, after the cluster was out of sight. */
    vouches(at: number): boolean {
      if (track === null) return seenSince !== null && at >= seenSince + unseenPatience;
      return movingSince !== null && isMoving(at) && at >= movingSince + settlesIn;
    },
  };
}

/** Since when a cluster that was out of sight is seen again, and what of its controllers is of now. Times in ms. */
export type ClusterReturn = ReturnType<typeof createClusterReturn>;

/** Starts with what the store remembers of the cluster. */
export function createClusterReturn(before: CurrentCluster | null, keeper: StatusKeeper) {
  /** Time until which an earlier sight of the cluster could be believed; null where it was never seen. */
  let believedUntil = before && (before.state === 'live' ? before.validUntil : Number.NEGATIVE_INFINITY);
  let seenSince: number | null = null;
  let regainedSince: number | null = null;
  return {
    /** The cluster is seen since `at`; `wasLost`: not only nobody looked, but the cluster itself was lost. */
    doubt(at: number, wasLost: boolean): void {
      // An earlier collector may have ended just now.
      if (believedUntil !== null && at > believedUntil) {
        seenSince = at;
        if (wasLost) regainedSince = at;
      }
      believedUntil = Number.NEGATIVE_INFINITY;
      keeper.doubt(at);
    },
    /** Since when it is seen again; null where it never was out of sight. */
    seenSince: (): number | null => seenSince,
    /**
     * The same where the cluster itself was lost: who writes the status of Deployments may have died with it. That a collector was
     * not running says nothing of that.
     */
    regainedSince: (): number | null => regainedSince,
    /** True if a status that is read at `at` was written since the cluster is seen again, or by who lives. */
    isOfNow: ({ statusAt }: ObservedDeployment, at: number): boolean =>
      regainedSince === null || keeper.vouches(at) || (statusAt !== null && mayBeSince(statusAt, regainedSince)),
  };
}
