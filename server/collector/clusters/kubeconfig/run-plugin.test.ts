import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runPlugin } from './run-plugin.ts';

const run = (script: string, timeout = 10_000) =>
  runPlugin('/bin/sh', { args: ['-c', script], env: { PATH: process.env['PATH'], NODE_ENV: 'test' }, timeout });

/** False once nothing of that id is there. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it.runIf(process.platform !== 'win32')(
  'takes what a plugin says though something that it has started holds its output open',
  async () => {
    const began = performance.now();
    expect(await run('sleep 5 & echo said')).toEqual({ type: 'ok', text: 'said\n' });
    expect(await run('sleep 5 & echo why >&2; exit 3')).toEqual({ type: 'failed', code: '3', said: 'why\n' });
    expect(performance.now() - began).toBeLessThan(4_000);
  },
);

it.runIf(process.platform !== 'win32')(
  'ends all that a plugin has started where it does not end, or says too much',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-plugin-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'pid');
    expect(await run(`sleep 60 & echo $! > ${file}; wait`, 1_000)).toEqual({ type: 'too-long' });
    const pid = Number(readFileSync(file, 'utf8'));
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isThere(pid)).toBe(false);
    expect(await run('head -c 100000000 /dev/zero; sleep 60')).toEqual({ type: 'too-much' });
  },
);

it.runIf(process.platform !== 'win32')('ends all that a plugin has started where Plumbline ends first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'pid');
  const module = new URL('./run-plugin.ts', import.meta.url).href;
  const script = `import { runPlugin } from ${JSON.stringify(module)};
    import { existsSync } from 'node:fs';
    const args = ['-c', ${JSON.stringify(`sleep 60 & echo $! > ${file}.part; mv ${file}.part ${file}; wait`)}];
    void runPlugin('/bin/sh', { args, env: process.env, timeout: 60_000 });
    setInterval(() => { if (existsSync(${JSON.stringify(file)})) process.exit(0); }, 20);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 });
  const pid = Number(readFileSync(file, 'utf8'));
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isThere(pid)).toBe(false);
});

it('rejects where it is told more than the system takes', async () => {
  const env = { NODE_ENV: 'test', LONG: 'x'.repeat(10_000_000) } as const;
  await expect(runPlugin('/bin/sh', { args: ['-c', 'true'], env, timeout: 1_000 })).rejects.toThrow('E2BIG');
});
