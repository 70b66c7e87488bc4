import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostileFiles } from '#test/hostile/files.ts';
import { openForWriting } from './database.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'plumbline-spoilt-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** The outcome of each way to open a database file, in a process of its own: one that waits in the system cannot be stopped otherwise. */
function opened(path: string): unknown {
  const program = `
    import { openForReading, openForWriting } from '${import.meta.dirname}/database.ts';
    import { copyStore } from '${import.meta.dirname}/copy-store.ts';
    import { takeWriterLock } from '${import.meta.dirname}/writing/writer-lock.ts';
    import { linkList } from '${import.meta.dirname}/../../web/embeds/link-list.ts';
    const [path, self] = [${JSON.stringify(path)}, { host: 'node-1', pid: 4711, since: 1 }];
    console.log(JSON.stringify([
      openForWriting(path, 0), openForReading(path, 0), takeWriterLock(path.replace(/[.]writer$/, ''), self), linkList(path).read(0),
      copyStore(path, path + '.copy', 'own'),
    ].map(({ type, message, why }) => [type, message ?? why ?? ''].join(': '))));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    encoding: 'utf8',
    timeout: 10_000,
    killSignal: 'SIGKILL',
    cwd: import.meta.dirname,
  });
  return stdout === '' ? 'held up' : JSON.parse(stdout);
}

function refusals(path: string, spoilt: string): readonly string[] {
  const refusal = `unusable: ${spoilt} is no regular file`;
  const ofLinks = `unusable: ${path}: ${spoilt} is no regular file`;
  return [refusal, refusal, refusal, ofLinks, `failed: ${spoilt} is no regular file`];
}

describe.skipIf(process.platform === 'win32')('in the place of a database file', () => {
  it.each(Object.entries(hostileFiles))('%s is refused in plain words', (_what, put) => {
    const path = join(folder(), 'plumbline.db.writer');
    put(path);
    expect(opened(path)).toEqual(refusals(path, path));
  });

  it.each(['-wal', '-shm', '-journal'])('a pipe is refused, and as its %s', (end) => {
    const path = join(folder(), 'plumbline.db.writer');
    const made = openForWriting(path, 0);
    if (made.type === 'open') made.database.close();
    hostileFiles['a pipe']?.(`${path}${end}`);
    expect(opened(path)).toEqual(refusals(path, `${path}${end}`));
  });

  it("a file and the folder that is made for it are their owner's alone", () => {
    const directory = join(folder(), 'data');
    const made = openForWriting(join(directory, 'plumbline.db'), 0);
    if (made.type === 'open') made.database.close();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'plumbline.db')).mode & 0o777).toBe(0o600);
  });
});
