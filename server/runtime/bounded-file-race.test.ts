import type * as Files from 'node:fs/promises';
import { link, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readBoundedFile } from './bounded-file.ts';

const during = vi.hoisted(() => ({
  before: async (): Promise<void> => undefined,
  after: async (): Promise<void> => undefined,
}));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Files>();
  return {
    ...real,
    async open(...given: Parameters<typeof real.open>) {
      await during.before();
      const opened = await real.open(...given);
      await during.after();
      return opened;
    },
  };
});

let folder = '';
let within = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bounded-'));
  within = join(folder, 'in');
  await mkdir(join(within, 'sub'), { recursive: true });
  await mkdir(join(folder, 'out'));
  await writeFile(join(within, 'sub', 'token'), 'inside');
  await writeFile(join(folder, 'out', 'token'), 'canary');
});
afterEach(async () => {
  during.before = async () => undefined;
  during.after = async () => undefined;
  vi.unstubAllGlobals();
  await rm(folder, { recursive: true });
});

const read = (name: string, bound: string | null = within) =>
  readBoundedFile(join(within, name), { most: 100, within: bound });

/** Exchanges a folder on the way with a link, between the resolving of the path and the opening. */
function exchange(target: string): void {
  during.before = async () => {
    await rename(join(within, 'sub'), join(within, 'old'));
    await symlink(target, join(within, 'sub'));
  };
}

it('is not led out by a folder that becomes a link in the meantime', async () => {
  exchange('../out');
  expect(await read('sub/token')).toMatchObject({ why: `lies outside of ${within}, which it may not` });
});

it('is read where that link stays within, as when a mounted Secret is renewed', async () => {
  exchange('old');
  expect(await read('sub/token')).toEqual({ type: 'ok', text: 'inside' });
});

it('is read where it is replaced after it was opened', async () => {
  await writeFile(join(within, 'new'), 'new');
  during.after = async () => rename(join(within, 'new'), join(within, 'sub', 'token'));
  expect(await read('sub/token')).toEqual({ type: 'ok', text: 'inside' });
});

it('is not read by a further name, unless anywhere is allowed', async () => {
  await link(join(folder, 'out', 'token'), join(within, 'hard'));
  expect(await read('hard')).toMatchObject({ why: 'is a hard link: the same file may lie elsewhere too' });
  expect(await read('hard', null)).toEqual({ type: 'ok', text: 'canary' });
});

it('is not read by a further name that is taken away once it was opened: the file has one name then, elsewhere', async () => {
  await link(join(folder, 'out', 'token'), join(within, 'hard'));
  during.after = async () => rm(join(within, 'hard'));
  expect(await read('hard')).toMatchObject({ type: 'unreadable', code: 'missing' });
});

it('is read on other systems where it lies directly in its folder', async () => {
  vi.stubGlobal('process', { ...process, platform: 'darwin' });
  await writeFile(join(within, 'token'), 'inside');
  expect(await read('token')).toEqual({ type: 'ok', text: 'inside' });
  expect(await read('sub/token')).toMatchObject({
    why: `does not lie directly in ${within}, and this system cannot tell that it stays there`,
  });
});
