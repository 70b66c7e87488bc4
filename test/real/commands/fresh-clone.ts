import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Processes } from '../harness/processes.ts';
import { freePorts, portAt } from '../harness/ports.ts';
import { mustCome } from '../harness/until.ts';

const run = promisify(execFile);

/** End of a command and its output. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Plumbline that serves; at the end of its scope it is ended as Ctrl-C does. */
interface Serving extends AsyncDisposable {
  readonly origin: string;
  /** The last lines that it has printed. */
  said(): Promise<string>;
}

/** A clone in which nothing is installed, and the shell of a person who stands in it. */
export interface FreshClone {
  readonly folder: string;
  /** Runs a command line to its end. */
  run(command: string): Promise<Ended>;
  /** Starts a command line that serves the pages, and waits until it says where. */
  serve(name: string, command: string): Promise<Serving>;
}

interface CloneDeps {
  readonly processes: Processes;
  readonly folder: string;
  readonly environment: { readonly [name: string]: string };
  /** Folders before those of PATH. */
  readonly bin: string;
}

/** Clones a checkout, with what is not committed in it yet. */
export async function cloneFresh(
  root: string,
  { processes, folder, environment, bin }: CloneDeps,
): Promise<FreshClone> {
  const clone = join(folder, 'clone');
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
  for (const path of await changedIn(root)) await bring(join(root, path), join(clone, path));
  const settings = { ...shellEnvironment(bin), ...environment };
  /** Arguments of env(1) by which a shell runs a command with these settings and no others. */
  const inShell = (command: string, more: { readonly [name: string]: string } = {}): readonly string[] => {
    const pairs = Object.entries({ ...settings, ...more }).map(([name, value]) => `${name}=${value}`);
    return ['-i', ...pairs, 'bash', '-o', 'pipefail', '-c', command];
  };
  return {
    folder: clone,
    run: (command) =>
      new Promise((resolve) => {
        const options = { cwd: clone, timeout: 300_000, maxBuffer: 16 * 1024 * 1024 };
        const child = execFile('/usr/bin/env', inShell(command), options, (_failure, stdout, stderr) =>
          resolve({ code: child.exitCode ?? -1, stdout, stderr }),
        );
      }),
    async serve(name, command) {
      const port = String(portAt(await freePorts(1), 0));
      const args = inShell(command, { PORT: port });
      const started = processes.start({ name, command: '/usr/bin/env', args, cwd: clone, revive: false });
      const printed = (): Promise<string> => readFile(started.logFile, 'utf8');
      const serves = (text: string): boolean => text.includes('Plumbline is at http');
      const begun = await mustCome(
        `${command} serving`,
        async () => {
          const text = await printed();
          return started.pid() === null || serves(text) ? text : null;
        },
        300_000,
      );
      if (!serves(begun)) throw new Error(`${command} has ended:\n${begun}`);
      return {
        origin: `http://127.0.0.1:${port}`,
        said: async () => (await printed()).split('\n').slice(-20).join('\n'),
        async [Symbol.asyncDispose]() {
          const pid = started.pid();
          // A terminal sends it to the whole group.
          if (pid !== null) process.kill(-pid, 'SIGINT');
          await mustCome(`the end of ${command}`, () => (started.pid() === null ? true : null), 20_000);
        },
      };
    },
  };
}

/** Files that differ from the last commit, and those that are not ignored and not committed. */
async function changedIn(root: string): Promise<readonly string[]> {
  const lists = [
    ['diff', '--name-only', '-z', 'HEAD'],
    ['ls-files', '--others', '--exclude-standard', '-z'],
  ];
  const found = await Promise.all(lists.map((args) => run('git', args, { cwd: root })));
  return found.flatMap(({ stdout }) => stdout.split('\0').filter((path) => path !== ''));
}

async function bring(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { verbatimSymlinks: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Environment of a shell: nothing that npm tells its scripts, no program of this checkout, and no setting of Plumbline. */
function shellEnvironment(bin: string): { readonly [name: string]: string } {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?!config_(?:registry|cache|userconfig)$)|INIT_CWD$|PLUMBLINE_|NODE_|VITEST|KUBECONFIG$|TZ$)/.test(
        name,
      ),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const defined = kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { ...Object.fromEntries(defined), PATH: [bin, ...path].join(delimiter) };
}
