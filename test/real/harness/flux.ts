import { mkdir } from 'node:fs/promises';
import type { ApiServer } from './api-server.ts';
import { flags } from './flags.ts';
import { type LeaderElection, startLeaseRenewal } from './leader-election.ts';
import { freePorts, portAt } from './ports.ts';
import type { BedProcess, Processes } from './processes.ts';

/** The Flux controllers of the bed. */
export type FluxController = 'source-controller' | 'kustomize-controller' | 'helm-controller';

/** Starts one Flux controller on a cluster, revived after a crash as in a Deployment. `folder` is its own. */
export async function startFluxController(
  processes: Processes,
  options: {
    readonly controller: FluxController;
    readonly binary: string;
    readonly cluster: ApiServer;
    readonly folder: string;
    readonly election: LeaderElection;
  },
): Promise<BedProcess> {
  const { controller, cluster, folder, election } = options;
  await mkdir(folder, { recursive: true });
  const ports = await freePorts(3);
  const storage = `127.0.0.1:${portAt(ports, 2)}`;
  const own: { readonly [name in FluxController]: readonly string[] } = {
    'source-controller': flags({ '--storage-path': folder, '--storage-addr': storage, '--storage-adv-addr': storage }),
    'kustomize-controller': flags({ '--requeue-dependency': '5s' }),
    'helm-controller': flags({ '--requeue-dependency': '5s' }),
  };
  const started = processes.start({
    name: `${controller}-${cluster.name}`,
    command: options.binary,
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
      ...own[controller],
    ],
  });
  if (!election.byControllers) startLeaseRenewal(cluster, controller, started, election.namespace);
  return started;
}
