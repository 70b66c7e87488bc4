import type { RefKey } from '#lib/domain/observation/ref.ts';
import type { ClusterEvent } from '../../clusters/cluster-event.ts';
import type { ChangedLiveness } from '../controllers/controller-index.ts';
import type { ModelParts } from '../model-parts.ts';
import { keyIn, providerRevision } from '../objects/object-graph.ts';

/** Takes the signs of life of controllers, and has whoever they turn for judged again. */
export type ControllerIntake = ReturnType<typeof createControllerIntake>;

/** Starts with a cluster that is not seen. */
export function createControllerIntake({ cluster, feeds, controllers, graph, changes, queue, vouching }: ModelParts) {
  /** Since when the cluster is being seen, as its controllers were told. */
  let seenSince: number | null = null;

  function touch({ controllers: changed, revisions }: ChangedLiveness): void {
    if (changed.size + revisions.size === 0) return;
    vouching.changed();
    const served: RefKey[] = [];
    for (const { key, loop } of graph.entries.values()) if (loop && changed.has(loop.controller)) served.push(key);
    queue.add(served);
    for (const name of revisions) {
      const key = keyIn(cluster, { ...providerRevision, namespace: '', name });
      if (graph.entries.has(key)) queue.add([key]);
      queue.add(graph.dependentsOf(key));
    }
  }

  function read(event: Parameters<ControllerIntake['take']>[0]): ChangedLiveness {
    switch (event.type) {
      case 'leases':
        return controllers.takeLeases(event.namespace, event.leases, event.at);
      case 'deployments':
        return controllers.takeDeployments(event.namespace, event.deployments, event.at);
      case 'argo':
        return controllers.takeArgo(event.namespace, event.argo, event.at);
    }
  }

  return {
    take(event: Extract<ClusterEvent, { readonly type: 'leases' | 'deployments' | 'argo' }>): void {
      touch(read(event));
      if (changes.controllers(controllers.current([]), event.type, event.namespace, event.at)) vouching.changed();
    },
    /** Takes note whether they may run where nobody looks. */
    searched: ({ of, isWhole }: Extract<ClusterEvent, { readonly type: 'searched' }>): void =>
      touch(controllers.searched(of, isWhole)),
    /** Doubts what was known of them where the cluster is seen anew at `at` (ms). */
    doubt(at: number): void {
      const since = feeds.liveSince(at);
      if (since === null || since === seenSince) return;
      seenSince = since;
      touch(controllers.doubt(since, feeds.wasLost()));
    },
    /** Looks at the clock: who died, or went out of sight, by now (ms). */
    settle: (now: number): void => touch(controllers.settle(now)),
  };
}
