import type { LoopInterval } from '#lib/domain/heartbeat/controller-liveness.ts';
import { applicationController } from '../../reconcilers/argocd/controller.ts';
import type { ServedObject } from './controller-instances.ts';

/** Settings of the controller of each Argo CD of a cluster, by its namespace. */
export type ArgoIntervals = ReturnType<typeof createArgoIntervals>;

/** Starts without any. */
export function createArgoIntervals() {
  const intervals = new Map<string, LoopInterval | null>();
  return {
    /** Takes the interval of one; tells whether it was another before. */
    take(namespace: string, interval: LoopInterval | null): boolean {
      const changed = intervals.get(namespace) !== interval;
      intervals.set(namespace, interval);
      return changed;
    },
    /** Of the Argo CD of its namespace, else the longest of all: Applications may stand in other namespaces. Null where one is not known. */
    of(controller: string, { namespace }: ServedObject): LoopInterval | null {
      if (controller !== applicationController) return null;
      const own = intervals.get(namespace);
      const all = own === undefined ? [...intervals.values()] : [own];
      if (all.length === 0 || all.includes(null)) return null;
      return all.includes('never') ? 'never' : Math.max(...all.filter((interval) => typeof interval === 'number'));
    },
  };
}
