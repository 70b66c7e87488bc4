import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '#server/collector/clusters/testing/until.ts';

/** A folder that programs see as a disk that can be written, or only read. */
export interface ReadOnlyDisk {
  /** Starts a program that sees it: node with these arguments. */
  run(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess;
  /** Makes it so that it can only be read, or gives it back; waits until no file on it is open for writing. */
  readOnly(so: boolean): Promise<void>;
  remove(): void;
}

/** Where the administrator runs the tests: a disk in memory, in a mount namespace that ends with the process that holds it. */
async function mounted(directory: string): Promise<ReadOnlyDisk> {
  const script = 'mount -t tmpfs plumbline "$0" && echo mounted && exec sleep 600';
  const holder = spawn('unshare', ['--mount', 'sh', '-c', script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')]);
  if (!String(said[0]).startsWith('mounted')) throw new Error('a disk in memory could not be mounted');
  const inside = ['--target', String(holder.pid), '--mount', '--'];
  return {
    run: (args, environment) =>
      spawn('nsenter', [...inside, process.execPath, ...args], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      }),
    async readOnly(so) {
      const remount = ['mount', '-o', `remount,${so ? 'ro' : 'rw'}`, directory];
      await until('the disk to be free', () => spawnSync('nsenter', [...inside, ...remount]).status === 0);
    },
    remove: () => void holder.kill('SIGKILL'),
  };
}

/** Elsewhere: a folder and files that their owner has no right to write. */
function forbidden(directory: string): ReadOnlyDisk {
  const readOnly = (so: boolean): void => {
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), so ? 0o400 : 0o600);
    chmodSync(directory, so ? 0o500 : 0o700);
  };
  return {
    run: (args, environment) =>
      spawn(process.execPath, [...args], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      }),
    readOnly: (so) => Promise.resolve(readOnly(so)),
    remove: () => readOnly(false),
  };
}

/** Makes `directory`, which is empty, such a disk. */
export function readOnlyDisk(directory: string): Promise<ReadOnlyDisk> {
  return process.getuid?.() === 0 ? mounted(directory) : Promise.resolve(forbidden(directory));
}
