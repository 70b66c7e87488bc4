import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BuiltProgram } from '../build.ts';
import type { ProgramName } from '../programs.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { type ControlRepository, createControlRepository } from './control-repository.ts';
import { startCrossplane, startProviderNop } from './crossplane.ts';
import { flags } from './flags.ts';
import { startFluxController } from './flux.ts';
import { startGitServer } from './git-server.ts';
import { installCrds, installNamespace, installReadOnlyRole } from './install.ts';
import { prepareLeaderElection } from './leader-election.ts';
import { freePorts, portAt } from './ports.ts';
import { type BedProcess, type Processes, startProcesses } from './processes.ts';

const run = promisify(execFile);

/** One running fleet of two clusters: alpha with everything, beta with Flux's source- and kustomize-controller. */
export interface Bed {
  readonly folder: string;
  readonly processes: Processes;
  readonly alpha: ApiServer;
  readonly beta: ApiServer;
  /** Repositories that the sources point to. */
  readonly control: ControlRepository;
  readonly other: ControlRepository;
  /** URL of a repository by its folder's name; a name that does not exist is a URL that fails. */
  gitUrl(folder: string): string;
  /** By program and cluster: kustomize-controller-alpha. */
  controller(name: string): BedProcess;
  /** Runs the real kubectl as an administrator: an edit by hand. */
  kubectl(cluster: ApiServer, args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Programs without which there is no bed at all. */
export const essential: readonly ProgramName[] = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'source-controller',
  'kustomize-controller',
];

/** Starts the fleet, empty but for its CRDs, namespaces and roles. `built` must hold all of `essential`. */
export async function startBed(
  built: ReadonlyMap<ProgramName, BuiltProgram>,
  say: (line: string) => void,
): Promise<Bed> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-real-'));
  const logs = join(folder, 'logs');
  const repositories = join(folder, 'repositories');
  for (const path of [logs, repositories, join(folder, 'work')]) await mkdir(path, { recursive: true });
  const processes = startProcesses(logs);
  // Kept on request, for its logs.
  if (process.env['PLUMBLINE_REAL_KEEP'] === undefined) processes.removeAtEnd(folder);
  const git = await startGitServer(repositories);
  const stop = async (): Promise<void> => {
    await git.stop();
    await processes.stop();
  };
  try {
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
    const [alpha, beta] = await Promise.all(
      ['alpha', 'beta'].map((name, index) =>
        startApiServer(processes, binaryOf(built, 'kube-apiserver'), {
          name,
          folder: join(folder, name),
          etcd,
          port: portAt(ports, 2 + index),
        }),
      ),
    );
    if (alpha === undefined || beta === undefined) throw new Error('two clusters were asked for');
    say('two API servers answer');

    const election = await prepareLeaderElection(processes);
    const controllers = new Map<string, BedProcess>();
    for (const cluster of [alpha, beta]) {
      for (const name of new Set(['flux-system', 'apps', election.namespace])) await installNamespace(cluster, name);
      await installReadOnlyRole(cluster);
      for (const controller of ['source-controller', 'kustomize-controller', 'helm-controller'] as const) {
        const program = built.get(controller);
        if (program?.crds) await installCrds(cluster, program.crds);
        if (program === undefined || (controller === 'helm-controller' && cluster === beta)) continue;
        const own = join(folder, cluster.name, controller);
        const options = { controller, binary: program.binary, cluster, folder: own, election };
        controllers.set(`${controller}-${cluster.name}`, await startFluxController(processes, options));
      }
    }
    for (const [name, start] of [
      ['crossplane', startCrossplane],
      ['provider-nop', startProviderNop],
    ] as const) {
      const program = built.get(name);
      if (program === undefined) continue;
      await installNamespace(alpha, 'crossplane-system');
      if (program.crds !== null) await installCrds(alpha, program.crds);
      controllers.set(`${name}-alpha`, await start(processes, program.binary, alpha, join(folder, 'alpha', name)));
    }
    say(`controllers run: ${[...controllers.keys()].join(', ')}`);

    return {
      folder,
      processes,
      alpha,
      beta,
      control: await createControlRepository(repositories, join(folder, 'work'), 'control.git'),
      other: await createControlRepository(repositories, join(folder, 'work'), 'other.git'),
      gitUrl: (repository) => git.url(repository),
      controller(name) {
        const found = controllers.get(name);
        if (found === undefined) throw new Error(`no controller ${name} runs`);
        return found;
      },
      async kubectl(cluster, args) {
        const { stdout } = await run(binaryOf(built, 'kubectl'), ['--kubeconfig', cluster.adminKubeconfig, ...args]);
        return stdout;
      },
      stop,
    };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

function binaryOf(built: ReadonlyMap<ProgramName, BuiltProgram>, name: ProgramName): string {
  const program = built.get(name);
  if (program === undefined) throw new Error(`${name} is not built`);
  return program.binary;
}
