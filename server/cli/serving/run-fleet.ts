import { join } from 'node:path';
import { textAt } from '#lib/foreign.ts';
import { gitSocketPath, sharedFolderOf } from '../../git/port/socket-path.ts';
import { filesOf } from '../../config/access/auth-settings.ts';
import { type ProcessSettings, settingsEnvironment } from '../../config/process-settings.ts';
import { selectedConfig } from '../../config/selected-config.ts';
import { systemClock } from '../../runtime/clock.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { createLog } from '../../runtime/log.ts';
import { whenParentEnds } from '../../runtime/parent.ts';
import type { ChildNews, ChildSpec } from '../../supervisor/child-spec.ts';
import { clusterAccess, kubectlPlugins } from '../../supervisor/child-environment.ts';
import { startSupervisor } from '../../supervisor/supervisor.ts';
import { webPermissions } from '../../supervisor/web-permissions.ts';
import type { Output } from '../output.ts';
import { whyTaken } from './free-port.ts';

/** Whom the pages trust besides the authorities of the machine: a login provider of one's own house. */
const trust = ['NODE_EXTRA_CA_CERTS'];

const server = join(import.meta.dirname, '../..');
const root = join(server, '..');

/** Variables by which git finds its way to a configured repository: proxies, and whom to trust. */
const gitAccess = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
/** The index of a repository of some hundred thousand commits, and no more. In MiB. */
const gitHeap = '--max-old-space-size=1024';

/**
 * Collector, pages and mirrors, told the same settings. Only the collector gets anything by which clusters are reached, and only git what
 * leads to repositories.
 */
export async function fleetPrograms(settings: ProcessSettings): Promise<readonly ChildSpec[]> {
  const environment = { ...settingsEnvironment(settings), NEXT_TELEMETRY_DISABLED: '1' };
  const inherits = settings.selection.type === 'contexts' ? [...clusterAccess, ...kubectlPlugins] : clusterAccess;
  const { dataDirectory } = settings;
  // The web process looks at whose it is before it asks there.
  const gitFolder = sharedFolderOf(gitSocketPath(dataDirectory));
  const reads = [...(await readByWeb(settings)), ...(gitFolder === null ? [] : [gitFolder])];
  const nodeFlags = webPermissions({ root, dataDirectory, reads });
  return [
    {
      name: 'collector',
      program: join(server, 'collector', 'main.ts'),
      args: [],
      nodeFlags: [],
      inherits,
      environment,
    },
    { name: 'web', program: join(server, 'web', 'main.ts'), args: [], nodeFlags, inherits: trust, environment },
    {
      name: 'git',
      program: join(server, 'git', 'main.ts'),
      args: [],
      nodeFlags: [gitHeap],
      inherits: gitAccess,
      environment,
    },
  ];
}

/** The configuration and what it names for the pages. One that cannot be used is said by the processes themselves. */
async function readByWeb({ selection }: ProcessSettings): Promise<readonly string[]> {
  if (selection.type !== 'file') return [];
  const loaded = await selectedConfig(selection, 'not-read');
  if (loaded.type !== 'ok') return [selection.path];
  const { auth, embeds } = loaded.config;
  return [selection.path, ...(embeds.keys === null ? [] : [embeds.keys]), ...(auth === null ? [] : filesOf(auth))];
}

/** The simulated fleet of the demo. It says { ready: true, configPath } once its clusters answer. */
export function simulatorProgram(folder: string): ChildSpec {
  const program = join(server, 'simulator', 'simulate.ts');
  return { name: 'simulator', program, args: ['--dir', folder], nodeFlags: [], inherits: [], environment: {} };
}

/** Without these all else goes on: a repository that cannot be read costs names of commits, never a verdict. */
const spared: ReadonlySet<string> = new Set(['git']);

export interface FleetRun {
  /** Started at once. */
  readonly first: readonly ChildSpec[];
  readonly host: string;
  readonly port: number;
  /** Children to start when there is news of one. It must not fail, and ends soon when `ending` says that all ends. */
  next(news: ChildNews, ending: AbortSignal): Promise<readonly ChildSpec[]>;
}

/** 0 where the address is free; otherwise the code to exit with, after having said so. */
export async function portCode(host: string, port: number, output: Output): Promise<number> {
  const taken = port === 0 ? null : await whyTaken(host, port);
  if (taken === null) return exitCode.ok;
  output.say(`Nothing can be served on ${host}:${port} (${taken}). Choose another port: --port N`);
  return exitCode.unavailable;
}

/** Runs processes until a signal comes, the parent ends or a child refuses to run. Gives the code to exit with. */
export async function runFleet(run: FleetRun, output: Output): Promise<number> {
  const portIs = await portCode(run.host, run.port, output);
  if (portIs !== exitCode.ok) return portIs;
  return new Promise((resolve) => {
    const ending = new AbortController();
    // A supervisor whose only child waits for its restart has nothing else to live for.
    const alive = setInterval(() => undefined, 2 ** 30);
    const supervisor = startSupervisor({ clock: systemClock, log: createLog('supervisor'), onNews: receive });

    function receive(news: ChildNews): void {
      if (news.type === 'ready' && news.name === 'web') {
        const url = textAt(news.details, 'url') ?? `http://${run.host}:${run.port}`;
        output.say(`Plumbline is at ${url.replace('//127.0.0.1:', '//localhost:')}`);
      }
      void startNext(news);
      if (news.type === 'refused' && !spared.has(news.name)) end(news.code);
    }

    async function startNext(news: ChildNews): Promise<void> {
      for (const spec of await run.next(news, ending.signal)) if (!ending.signal.aborted) supervisor.add(spec);
    }

    function end(code: number): void {
      if (ending.signal.aborted) return;
      ending.abort();
      void supervisor.stop().then(() => {
        clearInterval(alive);
        resolve(code);
      });
    }

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(exitCode.ok));
    whenParentEnds(() => end(exitCode.ok));
    for (const spec of run.first) supervisor.add(spec);
  });
}
