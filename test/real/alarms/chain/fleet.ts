import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statusKeeper } from '#lib/domain/heartbeat/liveness-kinds.ts';
import { isForeignObject, listAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';
import type { ApiServer } from '../../harness/api-server.ts';
import { createControlRepository } from '../../harness/control-repository.ts';
import { startProviderNop } from '../../harness/crossplane.ts';
import { flags } from '../../harness/flags.ts';
import { startFluxController } from '../../harness/flux.ts';
import { startGitServer } from '../../harness/git-server.ts';
import { installCrds, installNamespace, installReadOnlyRole } from '../../harness/install.ts';
import type { Manifest, Place } from '../../harness/kube-client.ts';
import { prepareLeaderElection, startLeaseRenewal } from '../../harness/leader-election.ts';
import { startOneCluster } from '../one-cluster.ts';
import { freePorts, portAt } from '../../harness/ports.ts';
import type { Processes } from '../../harness/processes.ts';
import { mustCome } from '../../harness/until.ts';

/** A program with the folder of its CRDs. */
interface WithCrds {
  readonly binary: string;
  readonly crds: string;
}

/** Programs of the fleet. */
export interface FleetPrograms {
  readonly etcd: string;
  readonly apiServer: string;
  readonly sourceController: WithCrds;
  readonly kustomizeController: WithCrds;
  readonly providerNop: WithCrds;
}

/** One API server with Flux and a provider of Crossplane, for alarms on what is away on it. */
export interface ChainFleet {
  readonly cluster: ApiServer;
  /** URL of a repository of git; one that was not made is a URL that fails. */
  gitUrl(name: string): string;
  stop(): Promise<void>;
}

/** Starts it with the namespaces, and publishes a repository `control` with these files. */
export async function startChainFleet(
  processes: Processes,
  programs: FleetPrograms,
  folder: string,
  given: { readonly namespaces: readonly string[]; readonly files: { readonly [path: string]: string } },
): Promise<ChainFleet> {
  const repositories = join(folder, 'repositories');
  for (const path of [repositories, join(folder, 'work')]) await mkdir(path, { recursive: true });
  const git = await startGitServer(repositories);
  const control = await createControlRepository(repositories, join(folder, 'work'), 'control.git');
  await control.commit('Bring up production', given.files);
  const cluster = await startOneCluster(processes, programs, { name: 'alarms', folder, ports: await freePorts(3) });
  const election = await prepareLeaderElection(processes);
  const namespaces = ['flux-system', 'crossplane-system', election.namespace, ...given.namespaces];
  for (const name of new Set(namespaces)) await installNamespace(cluster, name);
  await installReadOnlyRole(cluster);
  startLeaseRenewal(cluster, { ...statusKeeper, durationSeconds: 15 }, cluster.process);
  const { sourceController, kustomizeController, providerNop } = programs;
  for (const { crds } of [sourceController, kustomizeController, providerNop]) await installCrds(cluster, crds);
  for (const [controller, { binary }] of [
    ['source-controller', sourceController],
    ['kustomize-controller', kustomizeController],
  ] as const) {
    const options = { controller, binary, cluster, election, folder: join(folder, controller), shard: null };
    await startFluxController(processes, options);
  }
  await startProviderNop(processes, { binary: providerNop.binary, cluster, folder: join(folder, 'provider-nop') });
  return { cluster, gitUrl: (name) => git.url(`${name}.git`), stop: () => git.stop() };
}

/** Applies an object, and waits until this condition of it has this status. */
export async function applyUntil(
  { cluster }: ChainFleet,
  manifest: Manifest,
  condition: { readonly type: string; readonly status: string },
): Promise<void> {
  await cluster.admin.apply(manifest);
  const { name, namespace } = manifest.metadata;
  const place: Place = { ...manifest, name, ...(namespace === undefined ? {} : { namespace }) };
  await mustCome(
    `${condition.type}=${condition.status} of ${namespace ?? ''}/${name}`,
    async () => {
      const conditions = listAt(await cluster.admin.read(place), 'status', 'conditions');
      const isSo = (one: unknown): boolean =>
        textAt(one, 'type') === condition.type && textAt(one, 'status') === condition.status;
      return conditions.some(isSo) || null;
    },
    60_000,
  );
}

/** A kube-state-metrics over the fleet. */
export interface StateMetrics {
  /** Host and port where it is scraped. */
  readonly scraped: string;
  /** Starts it anew with a configuration that exports every kind, and waits until it does. */
  restart(config: string): Promise<void>;
}

const user = 'kube-state-metrics';

/** Starts a kube-state-metrics that may read what this role says, and nothing else. */
export async function startFleetMetrics(
  processes: Processes,
  binary: string,
  { cluster }: ChainFleet,
  given: { readonly folder: string; readonly role: unknown; readonly config: string },
): Promise<StateMetrics> {
  const { folder, role, config } = given;
  await mkdir(folder, { recursive: true });
  await allow(cluster, role);
  await writeFile(join(folder, 'kubeconfig'), await impersonating(cluster.adminKubeconfig));
  await writeFile(join(folder, 'config.yaml'), config);
  const ports = await freePorts(2);
  const scraped = `127.0.0.1:${portAt(ports, 0)}`;
  const started = processes.start({
    name: 'kube-state-metrics',
    command: binary,
    revive: false,
    args: [
      '--custom-resource-state-only',
      ...flags({
        '--kubeconfig': join(folder, 'kubeconfig'),
        '--custom-resource-state-config-file': join(folder, 'config.yaml'),
        '--host': '127.0.0.1',
        '--port': String(portAt(ports, 0)),
        '--telemetry-host': '127.0.0.1',
        '--telemetry-port': String(portAt(ports, 1)),
      }),
    ],
  });
  return {
    scraped,
    async restart(next) {
      await started.stop();
      await writeFile(join(folder, 'config.yaml'), next);
      started.start();
      await mustCome('every series', async () => (await scrapes(scraped, 'HelmRepository')) || null, 60_000);
    },
  };
}

/** Tests if a series of a kind is exported. */
async function scrapes(host: string, kind: string): Promise<boolean> {
  const answer = await fetch(`http://${host}/metrics`);
  return (await answer.text()).includes(`customresource_kind="${kind}"`);
}

/** Gives the role to kube-state-metrics. */
async function allow(cluster: ApiServer, role: unknown): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const [apiVersion, kind] = [`${apiGroup}/v1`, 'ClusterRole'];
  const name = textAt(role, 'metadata', 'name') ?? '';
  await cluster.admin.apply({ ...objectAt(role), apiVersion, kind, metadata: { name } });
  const binding: Manifest = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind, name },
    subjects: [{ kind: 'User', name: user, apiGroup }],
  };
  await cluster.admin.apply(binding);
}

/** The administrator's kubeconfig, with the rights of kube-state-metrics alone. */
async function impersonating(kubeconfig: string): Promise<string> {
  const config = parseForeign(await readFile(kubeconfig, 'utf8'));
  const users = listAt(config, 'users').filter(isForeignObject);
  return JSON.stringify({
    ...config,
    users: users.map((one) => ({ ...one, user: { ...objectAt(one, 'user'), as: user } })),
  });
}
