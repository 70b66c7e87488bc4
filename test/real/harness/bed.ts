import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { statusKeeper } from '#lib/domain/heartbeat/liveness-kinds.ts';
import type { BuiltProgram } from '../build.ts';
import type { ProgramName } from '../programs.ts';
import { startArgo } from './argocd.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { type ArtifactServer, startArtifactServer } from './artifact-server.ts';
import { type ControlRepository, createControlRepository } from './control-repository.ts';
import { startCrossplane, startProviderNop } from './crossplane.ts';
import { flags } from './flags.ts';
import { type FluxOptions, shardLabel, startFluxController } from './flux.ts';
import { startGitServer } from './git-server.ts';
import { installCrds, installNamespace, installReadOnlyRole } from './install.ts';
import { prepareLeaderElection, startLeaseRenewal } from './leader-election.ts';
import { freePorts, portAt } from './ports.ts';
import { type BedProcess, type Processes, startProcesses } from './processes.ts';

const run = promisify(execFile);

/** One running fleet of two clusters: alpha with everything, beta with Flux's source- and kustomize-controller, sharded. */
export interface Bed {
  readonly folder: string;
  readonly built: ReadonlyMap<ProgramName, BuiltProgram>;
  readonly processes: Processes;
  readonly alpha: ApiServer;
  readonly beta: ApiServer;
  /** A git repository by its name, made where it is not there yet. */
  repository(name: string): Promise<ControlRepository>;
  /** URL of a git repository by its name; a name that does not exist is a URL that fails. */
  gitUrl(name: string): string;
  /** Folder of a git repository by its name: what the server serves. */
  gitFolder(name: string): string;
  /** Charts and images that are published. */
  readonly artifacts: ArtifactServer;
  /** By program and cluster: kustomize-controller-alpha. */
  controller(name: string): BedProcess;
  /** Runs the real kubectl as an administrator: an edit by hand. */
  kubectl(cluster: ApiServer, args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

const both = ['alpha', 'beta'];
/** Flux's controllers and their clusters. On beta the Kustomizations of shard1 have a controller of their own. */
const fluxControllers: readonly (Pick<FluxOptions, 'controller' | 'shard'> & { readonly on: readonly string[] })[] = [
  { controller: 'source-controller', on: both, shard: null },
  { controller: 'kustomize-controller', on: ['alpha'], shard: null },
  {
    controller: 'kustomize-controller',
    on: ['beta'],
    shard: { deployment: 'kustomize-controller', selector: `!${shardLabel}` },
  },
  {
    controller: 'kustomize-controller',
    on: ['beta'],
    shard: { deployment: 'kustomize-controller-shard1', selector: `${shardLabel}=shard1` },
  },
  { controller: 'helm-controller', on: ['alpha'], shard: null },
];

/** Programs without which there is no bed at all. */
export const essential: readonly ProgramName[] = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'source-controller',
  'kustomize-controller',
];

type Built = ReadonlyMap<ProgramName, BuiltProgram>;

/** Starts the fleet, empty but for its CRDs, namespaces and roles. `built` must hold all of `essential`. */
export async function startBed(built: Built, say: (line: string) => void): Promise<Bed> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-real-'));
  const logs = join(folder, 'logs');
  const repositories = join(folder, 'repositories');
  for (const path of [logs, repositories, join(folder, 'work')]) await mkdir(path, { recursive: true });
  const processes = startProcesses(logs);
  // Kept on request, for its logs.
  if (process.env['PLUMBLINE_REAL_KEEP'] === undefined) processes.removeAtEnd(folder);
  const git = await startGitServer(repositories);
  const artifacts = await startArtifactServer();
  const stop = async (): Promise<void> => {
    await git.stop();
    await artifacts.stop();
    await processes.stop();
  };
  try {
    const { alpha, beta } = await startClusters(processes, built, folder);
    say('two API servers answer');
    const controllers = new Map<string, BedProcess>([
      ...(await startFlux(processes, built, folder, [alpha, beta])),
      ...(await startCrossplanes(processes, built, folder, alpha)),
      ...(await startArgos(processes, built, folder, beta)),
    ]);
    say(`controllers run: ${[...controllers.keys()].join(', ')}`);

    const made = new Map<string, Promise<ControlRepository>>();
    return {
      folder,
      built,
      processes,
      alpha,
      beta,
      artifacts,
      stop,
      repository(name) {
        const known = made.get(name) ?? createControlRepository(repositories, join(folder, 'work'), `${name}.git`);
        made.set(name, known);
        return known;
      },
      gitUrl: (name) => git.url(`${name}.git`),
      gitFolder: (name) => join(repositories, `${name}.git`),
      controller(name) {
        const found = controllers.get(name);
        if (found === undefined) throw new Error(`no controller ${name} runs`);
        return found;
      },
      async kubectl(cluster, args) {
        const { stdout } = await run(binaryOf(built, 'kubectl'), ['--kubeconfig', cluster.adminKubeconfig, ...args]);
        return stdout;
      },
    };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

/** Starts etcd and an API server for each of the two clusters. */
async function startClusters(
  processes: Processes,
  built: Built,
  folder: string,
): Promise<{ readonly alpha: ApiServer; readonly beta: ApiServer }> {
  const ports = await freePorts(4);
  const etcd = `http://127.0.0.1:${portAt(ports, 0)}`;
  processes.start({
    name: 'etcd',
    command: binaryOf(built, 'etcd'),
    revive: false,
    args: [
      '--unsafe-no-fsync',
      ...flags({
        '--data-dir': join(folder, 'etcd'),
        '--listen-client-urls': etcd,
        '--advertise-client-urls': etcd,
        '--listen-peer-urls': `http://127.0.0.1:${portAt(ports, 1)}`,
      }),
    ],
  });
  const start = (name: string, port: number): Promise<ApiServer> =>
    startApiServer(processes, binaryOf(built, 'kube-apiserver'), { name, folder: join(folder, name), etcd, port });
  const [alpha, beta] = await Promise.all([start('alpha', portAt(ports, 2)), start('beta', portAt(ports, 3))]);
  return { alpha, beta };
}

/** The controllers that were started, by program and cluster. */
type Started = readonly (readonly [string, BedProcess])[];

/** Prepares the clusters and starts Flux on them. */
async function startFlux(
  processes: Processes,
  built: Built,
  folder: string,
  clusters: readonly ApiServer[],
): Promise<Started> {
  const election = await prepareLeaderElection(processes);
  const started: [string, BedProcess][] = [];
  for (const cluster of clusters) {
    for (const name of new Set(['flux-system', 'apps', election.namespace])) await installNamespace(cluster, name);
    await installReadOnlyRole(cluster);
    // In place of kube-controller-manager the bed writes the status of Deployments.
    startLeaseRenewal(cluster, { ...statusKeeper, durationSeconds: 15 }, cluster.process);
    for (const { controller, on, shard } of fluxControllers) {
      const program = built.get(controller);
      if (program?.crds) await installCrds(cluster, program.crds);
      if (program === undefined || !on.includes(cluster.name)) continue;
      const title = `${shard?.deployment ?? controller}-${cluster.name}`;
      const options = { controller, shard, binary: program.binary, cluster, election, folder: join(folder, title) };
      started.push([title, await startFluxController(processes, options)]);
    }
  }
  return started;
}

/** Starts Crossplane and its provider where they were built. */
async function startCrossplanes(
  processes: Processes,
  built: Built,
  folder: string,
  cluster: ApiServer,
): Promise<Started> {
  const started: [string, BedProcess][] = [];
  for (const [name, start] of [
    ['crossplane', startCrossplane],
    ['provider-nop', startProviderNop],
  ] as const) {
    const program = built.get(name);
    if (program === undefined) continue;
    await installNamespace(cluster, 'crossplane-system');
    if (program.crds !== null) await installCrds(cluster, program.crds);
    const options = { binary: program.binary, cluster, folder: join(folder, cluster.name, name) };
    started.push([`${name}-${cluster.name}`, await start(processes, options)]);
  }
  return started;
}

/** Starts Argo CD where it was built. */
async function startArgos(processes: Processes, built: Built, folder: string, cluster: ApiServer): Promise<Started> {
  const [argocd, redis] = [built.get('argocd'), built.get('redis-server')];
  if (argocd === undefined || redis === undefined) return [];
  const options = { argocd, redis: redis.binary, cluster, folder: join(folder, 'argocd') };
  return [[`argocd-application-controller-${cluster.name}`, await startArgo(processes, options)]];
}

function binaryOf(built: Built, name: ProgramName): string {
  const program = built.get(name);
  if (program === undefined) throw new Error(`${name} is not built`);
  return program.binary;
}
