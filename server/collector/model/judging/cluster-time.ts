import type { ApiTime } from '#lib/domain/time/api-time.ts';
import { latestTime } from '#lib/domain/time/latest-time.ts';
import type { DriftStatus, Observation } from '#lib/domain/observation/observation.ts';
import type { ClusterEvent, ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';

/**
 * The clock of one cluster beside ours. What comes from the cluster is brought onto our clock here, as it comes, and nowhere
 * else: everything behind this compares times of one clock.
 */
export type ClusterTime = ReturnType<typeof createClusterTime>;

/** Nothing is known of the clock until its first two answers, which come before any object. */
export function createClusterTime() {
  let ahead: number | null = null;

  function shifted(time: ApiTime): ApiTime;
  function shifted(time: ApiTime | null): ApiTime | null;
  function shifted(time: ApiTime | null): ApiTime | null {
    // A clock that is off by centuries dates nothing that could not be written any more.
    return time === null ? null : Math.min(latestTime, Math.max(0, time - (ahead ?? 0)));
  }

  function shiftedDrift(drift: DriftStatus): DriftStatus {
    if (drift.drift !== 'none' || drift.undone === undefined) return drift;
    return { ...drift, undone: { ...drift.undone, at: shifted(drift.undone.at) } };
  }

  function shiftedWorkload(workload: ObservedDeployment): ObservedDeployment {
    return { ...workload, downSince: shifted(workload.downSince), statusAt: shifted(workload.statusAt) };
  }

  return {
    /** The same event on our clock. The objects in it are left as they are: see `ours`. */
    take(event: ClusterEvent): ClusterEvent {
      if (event.type === 'clock') ahead = event.ahead;
      if (ahead === null || ahead === 0) return event;
      const off = ahead;
      const dated = (lease: ObservedLease): ObservedLease => ({ ...lease, ahead: off });
      switch (event.type) {
        case 'deployments':
          return { ...event, deployments: event.deployments?.map(shiftedWorkload) ?? null };
        // What a lease says is left as it is: whether it moves is told by whether that is another word.
        case 'leases':
          return { ...event, leases: event.leases.map(dated) };
        case 'argo': {
          const { workloads, heartbeat } = event.argo;
          const argo = { workloads: workloads?.map(shiftedWorkload) ?? null, heartbeat: heartbeat && dated(heartbeat) };
          return { ...event, argo: { ...event.argo, ...argo } };
        }
        case 'event': {
          const { firstAt, lastAt } = event.event;
          return { ...event, event: { ...event.event, firstAt: shifted(firstAt), lastAt: shifted(lastAt) } };
        }
        default:
          return event;
      }
    },
    /** Observation of an object, on our clock. */
    ours(observation: Observation): Observation {
      if (ahead === null || ahead === 0) return observation;
      const { passes, suspended, specEditedBy } = observation;
      return {
        ...observation,
        createdAt: shifted(observation.createdAt),
        deletedAt: shifted(observation.deletedAt),
        lastWriteAt: shifted(observation.lastWriteAt),
        passes: { ...passes, last: shifted(passes.last) },
        suspended: suspended && { ...suspended, at: shifted(suspended.at) },
        specEditedBy: specEditedBy && { ...specEditedBy, at: shifted(specEditedBy.at) },
        conditions: observation.conditions.map((one) => ({
          ...one,
          lastTransitionTime: shifted(one.lastTransitionTime),
        })),
        history: observation.history.map((one) => ({ ...one, first: shifted(one.first), last: shifted(one.last) })),
        exemptions: observation.exemptions.map((one) => ({ ...one, at: shifted(one.at) })),
        drift: shiftedDrift(observation.drift),
      };
    },
    /** By how much the cluster's clock is ahead (ms, whole seconds; negative where it is behind); null while that is not known. */
    ahead: (): number | null => ahead,
  };
}
