import { listAt, numberAt, textAt } from '#lib/foreign.ts';
import type { ApiServer } from './api-server.ts';
import type { BedProcess } from './processes.ts';

const deployments = '/apis/apps/v1/namespaces';

/** What a Deployment of the bed is made of; its program is run by the bed and not by a kubelet. */
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
  const said = new Map<string, string>();
  let changed: { readonly available: 0 | 1; readonly at: Date } | null = null;

  async function look(): Promise<void> {
    const available = holder.pid() === null ? 0 : 1;
    if (changed?.available !== available) changed = { available, at: new Date() };
    const { at } = changed;
    const list = await cluster.admin.get(`${deployments}/${namespace}/deployments`);
    for (const deployment of listAt(list.body, 'items')) {
      const name = textAt(deployment, 'metadata', 'name');
      if (name === null || !fits(name)) continue;
      const generation = numberAt(deployment, 'metadata', 'generation') ?? 0;
      const status = statusOf(available, generation, at);
      if (said.get(name) === JSON.stringify(status)) continue;
      const path = `${deployments}/${namespace}/deployments/${name}/status`;
      await cluster.admin.send('PATCH', path, 'application/merge-patch+json', JSON.stringify({ status }));
      said.set(name, JSON.stringify(status));
    }
  }

  // An API server that is down is asked again.
  const again = (): void => void look().catch(() => undefined);
  again();
  const timer = setInterval(again, 2_000);
  timer.unref();
  return { stop: () => clearInterval(timer) };
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
