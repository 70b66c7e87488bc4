import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeMirrorLock } from './mirror-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another process that takes the lock, says what it found, collects what nobody refers to, and lives on. */
async function other(): Promise<{ readonly said: string; end(): Promise<void> }> {
  const source = `import { takeMirrorLock } from '${import.meta.dirname}/mirror-lock.ts';
    const type = takeMirrorLock(process.argv[1]).type;
    globalThis.gc();
    setTimeout(() => { globalThis.gc(); console.log(type); }, 20);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', source, folder]);
  const said = await new Promise<string>((resolve) => child.stdout.once('data', (piece) => resolve(String(piece))));
  return {
    said: said.trim(),
    end: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

it('of processes that begin in one moment one has it, until it dies, however it dies', async () => {
  const both = await Promise.all([other(), other()]);
  expect(both.map(({ said }) => said).toSorted()).toEqual(['held', 'taken']);
  expect(takeMirrorLock(folder).type).toBe('held');
  await both.find(({ said }) => said === 'held')?.end();
  expect(takeMirrorLock(folder).type).toBe('held');
  await both.find(({ said }) => said === 'taken')?.end();
  const own = takeMirrorLock(folder);
  expect(own.type).toBe('taken');
  const third = await other();
  expect(third.said).toBe('held');
  await third.end();
  if (own.type === 'taken') own.release();
});

it('follows no link', () => {
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'mirrors.lock'));
  expect(takeMirrorLock(folder).type).toBe('unusable');
});
