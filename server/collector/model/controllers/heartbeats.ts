import { boundedMap } from '#server/runtime/bounded-map.ts';
import type { Heartbeat, LoopInterval } from '#lib/domain/heartbeat/controller-liveness.ts';
import type { ServedObject } from './controller-instances.ts';
import {
  heartbeatOf,
  isBesideCrossplane,
  runtimeOf,
  servingOf,
  unknownHeartbeat,
  type Living,
} from './controller-liveness.ts';
import type { StatusKeeper, ClusterReturn } from './status-keeper.ts';
import { applicationController } from '../../reconcilers/argocd/controller.ts';

/** A cluster has some hundred namespaces, each with some shards at most: labels may say another each time. */
const mostUnserved = 10_000;

/** Controllers as they were looked at, at `drawnAt` (ms; null for never); `searched`: whether everywhere. */
export interface Look {
  readonly seen: readonly Living[];
  readonly drawnAt: number | null;
  readonly searched: { readonly controllers: boolean; readonly argo: boolean };
}

/** The heartbeats behind objects. Starts with nothing asked. */
export function createHeartbeats(
  cluster: string,
  intervals: ArgoIntervals,
  keeper: StatusKeeper,
  { seenSince, regainedSince }: ClusterReturn,
) {
  let unknownRuntimes = new Set<string>();
  /**
   * Since when no known instance of a program takes objects of a namespace and shard (ms), as far as was asked. What is forgotten is told
   * to be so since it is asked again: that proves less.
   */
  const unserved = boundedMap<string, number | null>(mostUnserved);
  return {
    /** See `ControllerIndex.heartbeat`. */
    of({ seen, drawnAt, searched }: Look, controller: string, object: ServedObject): Heartbeat {
      const isWhole = searched[controller === applicationController ? 'argo' : 'controllers'];
      const { one, sign } = servingOf(seen, controller, object, isWhole);
      const key = JSON.stringify([controller, object.namespace, object.shard]);
      if (sign !== 'nobody') unserved.delete(key);
      const interval = intervals.of(controller, object);
      if (one) return { ...heartbeatOf(cluster, one, seenSince(), sign), interval };
      if (sign === 'nobody' && unserved.get(key) === undefined) unserved.set(key, drawnAt);
      return { ...unknownHeartbeat(cluster, controller, seenSince(), sign, unserved.get(key) ?? null), interval };
    },
    /** See `ControllerIndex.runtime`. */
    runtime({ seen, drawnAt, searched }: Look, revision: string): Heartbeat | null {
      const one = runtimeOf(seen, revision);
      if (one)
        return heartbeatOf(
          cluster,
          one,
          seenSince(),
          searched.controllers || isBesideCrossplane(one) ? undefined : 'not-searched',
        );
      const regained = regainedSince();
      if (regained === null || (drawnAt !== null && keeper.vouches(drawnAt))) return null;
      unknownRuntimes.add(revision);
      return unknownHeartbeat(cluster, revision, regained, 'not-known', null);
    },
    /** Revisions that were told to be unknown because the cluster is seen again, once what their status says is of now, at `at` (ms). */
    known(at: number): ReadonlySet<string> {
      if (unknownRuntimes.size === 0 || !keeper.vouches(at)) return new Set();
      const revisions = unknownRuntimes;
      unknownRuntimes = new Set();
      return revisions;
    },
  };
}

/** More Argo CDs than are looked at once are those of before. */
const mostIntervals = 128;

/** Settings of the controller of each Argo CD of a cluster, by its namespace. */
export type ArgoIntervals = ReturnType<typeof createArgoIntervals>;

/** Starts without any. */
export function createArgoIntervals() {
  const intervals = new Map<string, LoopInterval | null>();
  return {
    /** Takes the interval of one; tells whether it was another before. */
    take(namespace: string, interval: LoopInterval | null): boolean {
      const changed = intervals.get(namespace) !== interval;
      intervals.delete(namespace);
      intervals.set(namespace, interval);
      const [oldest = namespace] = intervals.keys();
      if (intervals.size > mostIntervals) intervals.delete(oldest);
      return changed;
    },
    /**
     * Of the Argo CD of its namespace, else that of all: Applications may stand in other namespaces. Null where one is not known, and where they
     * differ: which of them it is of is not told, and who may write in any namespace may say there what would keep it from ever being late.
     */
    of(controller: string, { namespace }: ServedObject): LoopInterval | null {
      if (controller !== applicationController) return null;
      const own = intervals.get(namespace);
      const [first = null, ...others] = new Set(own === undefined ? intervals.values() : [own]);
      return others.length > 0 ? null : first;
    },
  };
}
