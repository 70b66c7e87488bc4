import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostileFiles } from '#test/hostile/files.ts';
import { readSideFile, writeSideFile } from './side-file.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'plumbline-side-file-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

it('is read as it was written, by its owner alone', () => {
  const path = join(folder(), 'plumbline.db.condition');
  expect(readSideFile(path)).toBeNull();
  writeSideFile(path, { type: 'refusing', why: 'full' });
  writeSideFile(path, { type: 'writing' });
  expect(readSideFile(path)).toEqual({ type: 'writing' });
  expect(statSync(path)).toMatchObject({ size: 1_024, mode: 0o100600 });
});

it('follows no link', () => {
  const directory = folder();
  const [path, victim] = [join(directory, 'plumbline.db.writer.json'), join(directory, 'victim')];
  const words = JSON.stringify({ mine: 'x'.repeat(2_000) });
  writeFileSync(victim, words);
  symlinkSync(victim, path);
  writeSideFile(path, { host: 'node-1' });
  expect(readFileSync(victim, 'utf8')).toBe(words);
  writeFileSync(victim, '{"mine":1}');
  expect(readSideFile(path)).toBeNull();
});

it('that is too long is not read', () => {
  const path = join(folder(), 'plumbline.db.standby');
  writeFileSync(path, JSON.stringify({ host: 'x'.repeat(2_000) }));
  expect(readSideFile(path)).toBeNull();
});

describe.skipIf(process.platform === 'win32')('in its place', () => {
  // In a process of its own, for one that waits in the system cannot be stopped otherwise.
  it.each(Object.entries(hostileFiles))('%s holds nobody up', (_what, put) => {
    const path = join(folder(), 'plumbline.db.standby');
    put(path);
    const program = `
      import { readSideFile, writeSideFile } from '${import.meta.dirname}/side-file.ts';
      writeSideFile(${JSON.stringify(path)}, {});
      console.log(readSideFile(${JSON.stringify(path)}));`;
    const ran = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
      encoding: 'utf8',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    expect(ran).toMatchObject({ status: 0, stdout: 'null\n' });
  });
});
