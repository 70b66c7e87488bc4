import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#server/collector/clusters/testing/until.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** A process that has left its pid: its name, itself and who started it. */
export interface Recorded {
  readonly name: string;
  readonly pid: number;
  readonly parent: number;
}

/** A small checkout with the project's own scripts, whose program is `supervising.ts`. */
export interface Scene {
  /** Starts `npm run <script> -- args` in it. */
  npm(script: string, ...args: readonly string[]): ChildProcess;
  /** Starts `supervising.ts` with child programs. */
  supervise(...programs: readonly string[]): ChildProcess;
  /** Waits until `count` processes have left their pids. */
  recorded(count: number): Promise<readonly Recorded[]>;
  /** Number of children that have kept what they held before they ended. */
  kept(): number;
  /** Kills what is left and removes the folder. */
  remove(): void;
}

/** Makes a scene in a folder of its own. */
export function makeScene(): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-supervised-'));
  const started: ChildProcess[] = [];
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  const program = JSON.stringify(join(import.meta.dirname, 'supervising.ts'));
  const tool = JSON.stringify(join(import.meta.dirname, 'grandchild-tool.ts'));
  write('server/cli/plumbline.ts', `await import(${program});\n`);
  write('test/bench/main.ts', `await import(${tool});\n`);
  const scripts = { plumbline: 'node scripts/run.mjs plumbline', bench: 'node scripts/run.mjs bench' };
  write('package.json', JSON.stringify({ name: 'scene', type: 'module', private: true, scripts }));
  write('package-lock.json', JSON.stringify({ packages: {} }));
  write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));

  function write(path: string, text: string): void {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  function run(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, [...args], { cwd: folder, env: { ...process.env, PIDS: folder }, stdio: 'ignore' });
    started.push(child);
    return child;
  }

  function pids(): readonly Recorded[] {
    const path = join(folder, 'pids');
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    return lines.map((line) => {
      const [name = '', pid, parent] = line.split(' ');
      return { name, pid: Number(pid), parent: Number(parent) };
    });
  }

  return {
    npm: (script, ...args) => run('npm', ['run', script, '--', ...args]),
    supervise: (...programs) => run(process.execPath, [join(import.meta.dirname, 'supervising.ts'), ...programs]),
    async recorded(count) {
      await until(`${count} processes to start`, () => pids().length >= count, 30_000);
      return pids();
    },
    kept: () => readdirSync(folder).filter((name) => name.startsWith('kept-')).length,
    remove() {
      for (const pid of [...pids().map((process) => process.pid), ...started.map((child) => child.pid)]) {
        if (pid !== undefined && isRunning(pid)) process.kill(pid, 'SIGKILL');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until none of the processes runs; gives how long that took in ms. */
export async function untilGone(pids: readonly number[], deadlineMs: number): Promise<number> {
  const from = performance.now();
  await until(`${pids.join(', ')} to end`, () => !pids.some(isRunning), deadlineMs);
  return performance.now() - from;
}

/** True if a process runs; one that has ended and was not yet collected by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}
