import { listAt, numberAt, textAt } from '#lib/foreign.ts';
import type { ApiServer } from './api-server.ts';
import type { BedProcess } from './processes.ts';

/** Where workloads lie. */
interface Workloads {
  readonly namespace: string;
  readonly resource: 'deployments' | 'statefulsets';
}

/** Parts of a Deployment of the bed; its program is run by the bed and not by a kubelet. */
export interface DeploymentSpec {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly labels: { readonly [key: string]: string };
}

/** Applies a controller's Deployment as its distribution ships it, as far as one can see from outside. */
export async function installDeployment(cluster: ApiServer, spec: DeploymentSpec): Promise<void> {
  const selected = { app: spec.name };
  await cluster.admin.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: spec.name, namespace: spec.namespace, labels: spec.labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: selected },
      template: {
        metadata: { labels: { ...spec.labels, ...selected } },
        spec: { containers: [{ name: spec.container, image: spec.image, args: spec.args }] },
      },
    },
  });
}

/**
 * Writes into the status of Deployments what the Deployment controller would, by whether a process of the bed lives: no
 * controller-manager and no kubelet run here. `fits` picks them by name in a namespace. Looks every 2 s.
 */
export function startDeploymentStatus(
  cluster: ApiServer,
  namespace: string,
  fits: (name: string) => boolean,
  holder: BedProcess,
): { stop(): void } {
  return startWorkloadStatus(cluster, { namespace, resource: 'deployments' }, fits, holder);
}

/** The same for Deployments or StatefulSets. */
export function startWorkloadStatus(
  cluster: ApiServer,
  { namespace, resource }: Workloads,
  fits: (name: string) => boolean,
  holder: BedProcess,
): { stop(): void } {
  const root = `/apis/apps/v1/namespaces/${namespace}/${resource}`;
  const said = new Map<string, string>();
  let changed: { readonly available: 0 | 1; readonly at: Date } | null = null;

  async function check(): Promise<void> {
    const available = holder.pid() === null ? 0 : 1;
    if (changed?.available !== available) changed = { available, at: new Date() };
    const { at } = changed;
    const list = await cluster.admin.get(root);
    for (const deployment of listAt(list.body, 'items')) {
      const name = textAt(deployment, 'metadata', 'name');
      if (name === null || !fits(name)) continue;
      const generation = numberAt(deployment, 'metadata', 'generation') ?? 0;
      const status =
        resource === 'deployments' ? statusOf(available, generation, at) : setStatus(available, generation);
      if (said.get(name) === JSON.stringify(status)) continue;
      const path = `${root}/${name}/status`;
      await cluster.admin.send('PATCH', path, 'application/merge-patch+json', JSON.stringify({ status }));
      said.set(name, JSON.stringify(status));
    }
  }

  // An API server that is down is asked again.
  const again = (): void => void check().catch(() => undefined);
  again();
  const timer = setInterval(again, 2_000);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** A StatefulSet has no condition that dates when it lost its pods. */
function setStatus(available: 0 | 1, observedGeneration: number): object {
  return { observedGeneration, replicas: 1, readyReplicas: available, availableReplicas: available };
}

function statusOf(available: 0 | 1, observedGeneration: number, since: Date): object {
  const up = available === 1;
  return {
    observedGeneration,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: available,
    availableReplicas: available,
    unavailableReplicas: 1 - available,
    conditions: [
      {
        type: 'Available',
        status: up ? 'True' : 'False',
        lastTransitionTime: `${since.toISOString().slice(0, 19)}Z`,
        reason: up ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
        message: up ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
      },
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message: 'ReplicaSet is available.' },
    ],
  };
}
