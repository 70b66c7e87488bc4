import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { writeWhole } from './write-whole.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-whole-'));
  path = join(folder, 'report.html');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

it('writes a file, in place of another of whose mode it is, and leaves nothing beside it', async () => {
  await writeWhole(path, 'first');
  chmodSync(path, 0o600);
  await writeWhole(path, 'second');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([
    'second',
    0o600,
    ['report.html'],
  ]);
});

it('replaces the file that a link leads to; a link that leads nowhere goes', async () => {
  const [link, lost] = [join(folder, 'link.html'), join(folder, 'lost.html')];
  writeFileSync(path, 'first');
  symlinkSync(path, link);
  symlinkSync(join(folder, 'gone', 'x'), lost);
  await writeWhole(link, 'second');
  await writeWhole(lost, 'third');
  expect([readlinkSync(link), readFileSync(path, 'utf8'), readFileSync(lost, 'utf8')]).toEqual([
    path,
    'second',
    'third',
  ]);
  expect(readdirSync(folder).length).toBe(3);
});

it.runIf(process.geteuid?.() === 0)('follows no link, and writes into no pipe, of another user', async () => {
  const [link, pipe] = [join(folder, 'link.html'), join(folder, 'pipe.html')];
  writeFileSync(path, 'first');
  symlinkSync(path, link);
  execFileSync('mkfifo', [pipe]);
  for (const put of [link, pipe]) {
    lchownSync(put, 65_534, 65_534);
    await expect(writeWhole(put, 'second')).rejects.toThrow('it is a link or pipe of another user');
  }
  expect(readFileSync(path, 'utf8')).toBe('first');
  lchownSync(link, 0, 0);
  await writeWhole(link, 'second');
  expect(readFileSync(path, 'utf8')).toBe('second');
});

it.runIf(process.platform === 'linux')('leaves what was there where there is no room for all of it', () => {
  writeFileSync(path, 'first');
  const program = `import { writeWhole } from ${JSON.stringify(new URL('write-whole.ts', import.meta.url).href)};
    await writeWhole(${JSON.stringify(path)}, 'x'.repeat(100_000)).then(() => process.exit(0), () => process.exit(7));`;
  const ran = spawnSync('sh', [
    '-c',
    'ulimit -f 8; trap "" XFSZ; exec "$0" --input-type=module -e "$1"',
    process.execPath,
    program,
  ]);
  expect([ran.status, readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual([7, 'first', ['report.html']]);
});

it.runIf(process.platform !== 'win32')('writes into a pipe as it stands', async () => {
  execFileSync('mkfifo', [path]);
  const [text] = await Promise.all([readFile(path, 'utf8'), writeWhole(path, 'piped')]);
  expect([text, statSync(path).isFIFO()]).toEqual(['piped', true]);
});

it('takes away what a run that was killed left beside it, and nothing else', async () => {
  const left = [
    'report.html.0a1b2c3d.part',
    'report.html.0a1b2c3e.part',
    'report.html.notes.part',
    'other.html.0a1b2c3d.part',
  ];
  for (const name of left) writeFileSync(join(folder, name), 'half');
  for (const name of left) if (name !== 'report.html.0a1b2c3e.part') utimesSync(join(folder, name), 1_000, 1_000);
  await writeWhole(path, 'whole');
  // One that is young may be of a run that still writes it.
  expect(readdirSync(folder).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'other.html.0a1b2c3d.part',
    'report.html',
    'report.html.0a1b2c3e.part',
    'report.html.notes.part',
  ]);
});
