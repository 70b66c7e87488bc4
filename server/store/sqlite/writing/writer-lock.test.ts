import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { takeWriterLock } from './writer-lock.ts';

const self = { host: 'node-1', pid: 4711, since: 1_000 };

function storePath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-lock-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'plumbline.db');
}

it('one has it, and a second is told who', () => {
  const path = storePath();
  const first = takeWriterLock(path, self);
  expect(first.type).toBe('taken');
  expect(takeWriterLock(path, { ...self, pid: 4712 })).toEqual({ type: 'held', by: self });
  if (first.type === 'taken') first.release();
  const second = takeWriterLock(path, { ...self, pid: 4712 });
  expect(second.type).toBe('taken');
  if (second.type === 'taken') second.release();
});

it('ends with the process that has it, however that ends', async () => {
  const path = storePath();
  const program = `
    import { takeWriterLock } from '${import.meta.dirname}/writer-lock.ts';
    process.send(takeWriterLock(${JSON.stringify(path)}, { host: 'node-1', pid: process.pid, since: 1 }).type);
    setInterval(() => undefined, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'message')).toEqual(['taken', undefined]);
  expect(takeWriterLock(path, self)).toMatchObject({ type: 'held', by: { pid: child.pid } });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const mine = takeWriterLock(path, self);
  expect(mine.type).toBe('taken');
  if (mine.type === 'taken') mine.release();
});

it('that cannot be asked for says why', () => {
  expect(takeWriterLock('/dev/null/plumbline.db', self)).toMatchObject({ type: 'unusable' });
});

/** Takes the lock and gives it back; gives the rights on its file. */
function rightsAfterLock(path: string): number {
  const lock = takeWriterLock(path, self);
  if (lock.type === 'taken') lock.release();
  return statSync(`${path}.writer`).mode & 0o777;
}

// Whoever may read the file may take a shared lock on it, and keep the one that would write from its turn.
describe.skipIf(process.platform === 'win32')('its file', () => {
  it("is its owner's alone, and so is the folder that is made for it", () => {
    const path = join(dirname(storePath()), 'data', 'plumbline.db');
    expect(rightsAfterLock(path)).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it('becomes so where it was made before, and the folder that was given stays as it is', () => {
    const path = join(dirname(storePath()), 'data', 'plumbline.db');
    mkdirSync(dirname(path));
    chmodSync(dirname(path), 0o2775);
    writeFileSync(`${path}.writer`, '');
    chmodSync(`${path}.writer`, 0o644);
    expect(rightsAfterLock(path)).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o7777).toBe(0o2775);
  });

  it('is no link', () => {
    const path = storePath();
    symlinkSync(`${path}.victim`, `${path}.writer`);
    expect(takeWriterLock(path, self)).toMatchObject({ type: 'unusable' });
    expect(statSync(`${path}.victim`, { throwIfNoEntry: false })).toBeUndefined();
  });
});
