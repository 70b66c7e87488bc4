import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { untilGone } from '#test/integration/supervised/scene.ts';

const root = join(import.meta.dirname, '..', '..');
let demo: ChildProcess | null = null;
afterEach(() => {
  demo?.kill('SIGTERM');
});

/** The demo while it runs. `results`: what stood on its standard output so far, npm's own words aside. */
interface RunningDemo {
  readonly url: string;
  readonly pid: number;
  results(): readonly string[];
}

/** Starts `npm run demo` on a free port; resolves with its address once it says so. */
function startDemo(): Promise<RunningDemo> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', 'demo', '--', '--port', '0'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    demo = child;
    let [said, printed] = ['', ''];
    const results = () => printed.split('\n').filter((line) => line !== '' && !line.startsWith('> '));
    child.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /Plumbline is at (\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve({ url, pid: child.pid ?? 0, results });
    });
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}: ${said}`)));
  });
}

/** A process and everything that it has started, and so on. */
function family(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) {
    for (const [child, of] of pairs) if (of === parent && child !== undefined) found.push(child);
  }
  return found;
}

async function statusOf(url: string): Promise<number> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const { status } = await fetch(url);
    if (status === 200) return status;
    await wait(250);
  }
  return (await fetch(url)).status;
}

describe('npm run demo', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('serves the fleet, and %s to npm leaves nothing behind', async (signal) => {
    const { url, pid, results } = await startDemo();
    expect(await statusOf(url)).toBe(200);
    expect(await statusOf(`${url}/api/v1/fleet`)).toBe(200);
    expect(results()).toEqual([]);
    const processes = family(pid);
    expect(processes.length).toBeGreaterThanOrEqual(6);
    process.kill(pid, signal);
    await untilGone(processes, 5000);
  });
});
