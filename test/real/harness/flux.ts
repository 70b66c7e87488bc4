import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { ApiServer } from './api-server.ts';
import { installDeployment, startDeploymentStatus } from './deployments.ts';
import { flags } from './flags.ts';
import { type LeaderElection, startLeaseRenewal } from './leader-election.ts';
import { freePorts, portAt } from './ports.ts';
import type { BedProcess, Processes } from './processes.ts';

/** The Flux controllers of the bed. */
export type FluxController = 'source-controller' | 'kustomize-controller' | 'helm-controller';

/** As programs/ locks them. */
const versions: { readonly [name in FluxController]: string } = {
  'source-controller': 'v1.9.1',
  'kustomize-controller': 'v1.9.4',
  'helm-controller': 'v1.6.3',
};

/** The label that gives an object to a shard. */
export const shardLabel = 'sharding.fluxcd.io/key';

/** Options for starting one Flux controller. */
export interface FluxOptions {
  readonly controller: FluxController;
  readonly binary: string;
  readonly cluster: ApiServer;
  /** Its own. */
  readonly folder: string;
  readonly election: LeaderElection;
  /** Which objects it takes, and what its Deployment is called after; null: all of them, after the controller. */
  readonly shard: { readonly deployment: string; readonly selector: string } | null;
}

/**
 * Starts one Flux controller on a cluster, revived after a crash as in a Deployment, and applies the Deployment that it
 * stands for.
 */
export async function startFluxController(
  processes: Processes,
  { controller, binary, cluster, folder, election, shard }: FluxOptions,
): Promise<BedProcess> {
  const deployment = shard?.deployment ?? controller;
  const selector = shard === null ? [] : [`--watch-label-selector=${shard.selector}`];
  await mkdir(folder, { recursive: true });
  const ports = await freePorts(3);
  const storage = `127.0.0.1:${portAt(ports, 2)}`;
  const own: { readonly [name in FluxController]: readonly string[] } = {
    'source-controller': flags({ '--storage-path': folder, '--storage-addr': storage, '--storage-adv-addr': storage }),
    'kustomize-controller': flags({ '--requeue-dependency': '5s' }),
    'helm-controller': flags({ '--requeue-dependency': '5s' }),
  };
  const started = processes.start({
    name: `${deployment}-${cluster.name}`,
    command: binary,
    revive: true,
    env: { KUBECONFIG: cluster.adminKubeconfig, RUNTIME_NAMESPACE: 'flux-system', TMPDIR: folder },
    args: [
      ...flags({
        '--events-addr': '',
        '--metrics-addr': `127.0.0.1:${portAt(ports, 0)}`,
        '--health-addr': `127.0.0.1:${portAt(ports, 1)}`,
        '--interval-jitter-percentage': '0',
      }),
      ...(election.byControllers ? ['--enable-leader-election'] : []),
      ...selector,
      ...own[controller],
    ],
  });
  if (!election.byControllers) {
    const lease = { namespace: election.namespace, name: leaseOf(controller, shard), durationSeconds: 35 };
    startLeaseRenewal(cluster, lease, started);
  }
  await installDeployment(cluster, {
    namespace: 'flux-system',
    name: deployment,
    container: 'manager',
    image: `ghcr.io/fluxcd/${controller}:${versions[controller]}`,
    args: ['--watch-all-namespaces=true', '--enable-leader-election', ...selector],
    labels: {
      'app.kubernetes.io/component': controller,
      'app.kubernetes.io/instance': 'flux-system',
      'app.kubernetes.io/part-of': 'flux',
      'app.kubernetes.io/version': 'v2.9.4',
    },
  });
  startDeploymentStatus(cluster, 'flux-system', (name) => name === deployment, started);
  return started;
}

/** A controller's lease as Flux calls it: a label selector adds the start of its hash (fluxcd/pkg runtime/leaderelection GenerateID). */
export function leaseOf(controller: FluxController, shard: { readonly selector: string } | null): string {
  const name = `${controller}-leader-election`;
  if (shard === null) return name;
  return `${name}-${createHash('sha256').update(shard.selector).digest('hex').slice(0, 8)}`;
}
