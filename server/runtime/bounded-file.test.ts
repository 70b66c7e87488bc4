import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBoundedFile } from './bounded-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bounded-'));
  await mkdir(join(folder, 'in'));
  await writeFile(join(folder, 'in', 'ten'), '0123456789');
  await writeFile(join(folder, 'out'), 'outside');
  await symlink('../out', join(folder, 'in', 'link-out'));
  await symlink('ten', join(folder, 'in', 'link-in'));
  await symlink('circle', join(folder, 'in', 'circle'));
  execFileSync('mkfifo', [join(folder, 'in', 'pipe')]);
});
afterEach(() => rm(folder, { recursive: true }));

it.each([
  ['ten', 10, '0123456789'],
  ['ten', 9, 'is larger than 0.009 KB'],
  ['link-in', 10, '0123456789'],
  ['link-out', 10, 'lies outside of FOLDER, which it may not'],
  ['../out', 10, 'lies outside of FOLDER, which it may not'],
  ['pipe', 10, 'is no regular file'],
  ['circle', 10, 'is a link in a circle'],
  ['none', 10, 'does not exist'],
  ['ten/none', 10, 'does not exist'],
  ['.', 10, 'lies outside of FOLDER, which it may not'],
])('%s with %i bytes: %s', async (name, most, said) => {
  const within = join(folder, 'in');
  const read = await readBoundedFile(join(within, name), { most, within });
  expect(read.type === 'ok' ? read.text : read.why.replace(within, 'FOLDER')).toBe(said);
});

it('reads anywhere where no folder is given, but no folder and no device', async () => {
  const at = (path: string) => readBoundedFile(path, { most: 1_000 });
  expect(await at(join(folder, 'in', 'link-out'))).toEqual({ type: 'ok', text: 'outside' });
  expect(await at(folder)).toMatchObject({ why: 'is a folder, not a file' });
  expect(await at('/dev/zero')).toMatchObject({ why: 'is no regular file' });
});
