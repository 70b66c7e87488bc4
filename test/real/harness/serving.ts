import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clustersApi, type WireCluster, WireClusterList } from '#lib/api/cluster.ts';
import { freePorts, portAt } from './ports.ts';
import type { BedProcess, Processes } from './processes.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const cli = join(root, 'server', 'cli', 'plumbline.ts');

/** Result of a one-shot command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment beside that of the run. */
type Env = { readonly [key: string]: string };

/** Options for starting one Plumbline. */
interface ServingOptions {
  /** Of its process and its log. */
  readonly name: string;
  readonly env: Env;
  /** Its configuration file. */
  readonly config: string;
  readonly data: string;
  /** Number of clusters in its configuration. */
  readonly clusters: number;
}

/** A Plumbline that answers. */
export interface Serving {
  readonly origin: string;
  readonly process: BedProcess;
  /** Waits until it answers for every cluster; throws its last lines where it ends or does not. */
  answers(): Promise<void>;
}

/** Starts `plumbline start` as a user would, and waits until it answers. */
export async function startServing(
  processes: Processes,
  { name, env, config, data, clusters }: ServingOptions,
): Promise<Serving> {
  const port = portAt(await freePorts(1), 0);
  const origin = `http://127.0.0.1:${port}`;
  const started = processes.start({
    name,
    env,
    command: process.execPath,
    cwd: root,
    revive: false,
    args: [cli, 'start', '--config', config, '--data', data, '--port', String(port)],
  });
  const answers = async (): Promise<void> => {
    const answering = await until(
      async () => (started.pid() === null || (await clustersAt(origin)).length === clusters ? true : null),
      120_000,
    );
    if (answering !== null && started.pid() !== null) return;
    const log = await readFile(started.logFile, 'utf8');
    const lines = log.split('\n').slice(-20).join('\n');
    throw new Error(`Plumbline does not answer at ${origin}. Its last lines:\n${lines}`);
  };
  await answers();
  return { origin, process: started, answers };
}

/** Asks it; no answer within 10 s is an error. */
export function ask(origin: string, path: string, query: { readonly [key: string]: string } = {}): Promise<Response> {
  return fetch(`${origin}${path}?${new URLSearchParams(query).toString()}`, { signal: AbortSignal.timeout(10_000) });
}

/** The clusters that it knows. */
export async function clustersAt(origin: string): Promise<readonly WireCluster[]> {
  return WireClusterList.parse(await (await ask(origin, clustersApi.path)).json()).clusters;
}

/** Runs the CLI once. */
export function runCli(args: readonly string[], env: Env = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [cli, ...args],
      { cwd: root, env: { ...process.env, ...env }, timeout: 90_000, maxBuffer: 16 * 1024 * 1024 },
      (_failure, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
