import type { ObservedDeployment } from '../../clusters/cluster-event.ts';
import { applicationController } from '../../reconcilers/argocd/controller.ts';
import type { SeenDeployment } from './controller-instances.ts';
import { namespacesToForget } from './listed-namespaces.ts';

/** Whose Deployments a list has: those of an Argo CD are listed by themselves. */
type Owner = 'controllers' | 'argo';

/** Since when a Deployment without a pod is without one: as its condition dates it, within what was seen of it. */
function goneSince(deployment: ObservedDeployment, former: SeenDeployment | null, at: number): number {
  if (former?.downSince) return former.downSince;
  return Math.min(at, Math.max(deployment.downSince ?? at, former?.readAt ?? -Infinity));
}

/**
 * The Deployments of the controllers of one cluster. Times in ms. Starts without any; `isOfNow` tells it of the status
 * of one that was in doubt and is read again at `at`.
 */
export function createSeenDeployments(isOfNow: (deployment: ObservedDeployment, at: number) => boolean) {
  const lists: Readonly<Record<Owner, Map<string, readonly SeenDeployment[]>>> = {
    controllers: new Map(),
    argo: new Map(),
  };
  const readAt: Readonly<Record<Owner, Map<string, number>>> = { controllers: new Map(), argo: new Map() };

  function seen(deployment: ObservedDeployment, known: SeenDeployment | null, at: number): SeenDeployment {
    const isDown = deployment.state === 'unavailable' || deployment.state === 'scaled-to-zero';
    const downSince = isDown ? goneSince(deployment, known, at) : null;
    return {
      ...deployment,
      readAt: at,
      status: known?.status === 'current' || isOfNow(deployment, at) ? 'current' : 'doubted',
      downSince,
    };
  }

  /** Forgets the namespaces that were read longest ago where too much is known. */
  function makeRoom(owner: Owner): void {
    const known = Array.from(readAt[owner], ([namespace, at]) => {
      return { namespace, at, count: lists[owner].get(namespace)?.length ?? 0 };
    });
    for (const namespace of namespacesToForget(known)) {
      readAt[owner].delete(namespace);
      lists[owner].delete(namespace);
    }
  }

  return {
    all: (): readonly SeenDeployment[] => [...lists.controllers.values(), ...lists.argo.values()].flat(),
    /** Takes the whole list of a namespace; null where they may not be read. */
    take(owner: Owner, namespace: string, list: readonly ObservedDeployment[] | null, at: number): void {
      const former = new Map((lists[owner].get(namespace) ?? []).map((one) => [one.name, one]));
      lists[owner].set(
        namespace,
        (list ?? []).map((deployment) => seen(deployment, former.get(deployment.name) ?? null, at)),
      );
      readAt[owner].set(namespace, at);
      makeRoom(owner);
    },
    /** True if the Deployment beside a controller of this name has been read. */
    isRead: ({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean =>
      lists[name === applicationController ? 'argo' : 'controllers'].has(namespace),
    /** The cluster is seen again: nothing is read of now. */
    doubt(): void {
      for (const known of Object.values(lists))
        for (const [namespace, list] of known)
          known.set(
            namespace,
            list.map((one) => ({ ...one, status: 'unread' })),
          );
    },
  };
}
