import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { mayBeSince } from '#lib/domain/time/api-time.ts';
import type { ObservedDeployment } from '../../clusters/cluster-event.ts';
import type { StatusKeeper } from './status-keeper.ts';

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
