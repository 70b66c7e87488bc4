import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Keeper } from '#server/git/mirror/keeper.ts';
import { madeRepository, type MadeRepository } from '#server/git/reader/testing/made-repository.ts';
import { answerOf } from '#server/git/reader/testing/opened.ts';
import { startGitHost } from './git-host.ts';
import { type Bed, makeBed, minute, subjects } from './kept.ts';

let bed: Bed;
let root: string;
beforeEach(() => {
  bed = makeBed();
});
afterEach(() => bed.remove());

const main = { type: 'branch', name: 'main' } as const;

/** A file of zeroes in the repository; gives its blob. */
function blobOfZeroes({ directory }: MadeRepository, bytes: number): string {
  const file = join(directory, 'zeroes');
  const opened = openSync(file, 'w');
  ftruncateSync(opened, bytes);
  closeSync(opened);
  const args = ['-c', 'core.bigFileThreshold=1m', '-c', 'core.compression=1', '--git-dir', directory];
  const blob = String(spawnSync('git', [...args, 'hash-object', '-w', file]).stdout).trim();
  rmSync(file);
  return blob;
}

async function mirrored(name: string, from: string): Promise<Keeper> {
  root = join(bed.folder, name);
  mkdirSync(root);
  spawnSync('cp', ['-r', from, join(root, 'acme.git')]);
  const host = await startGitHost(root);
  onTestFinished(() => host.stop());
  const one = await bed.keeper(`http://127.0.0.1:${host.port}/acme.git`, { deps: { longestFetch: 120_000 } });
  await one.fetch();
  return one;
}

describe('a file of 2 GiB', () => {
  let made: MadeRepository;
  let first: string;
  let sha: string;
  beforeAll(() => {
    made = madeRepository();
    [first = ''] = made.commits({ on: 'main', files: { 'app/small': '1' } });
    const blob = blobOfZeroes(made, 2 ** 31);
    const tree = made.git(['mktree'], `100644 blob ${blob}\thuge.yaml\n100644 blob ${blob}\tkustomization.yaml\n`);
    const top = made.git(['mktree'], `040000 tree ${tree}\tapp\n`);
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    sha = made.git([...who, 'commit-tree', '-m', 'Huge', '-p', first, top]);
    made.git(['update-ref', 'refs/heads/main', sha]);
  }, 120_000);
  afterAll(() => made.remove());

  it.each([
    ['leaves it there', 'filter'],
    ['sends it', 'no-filter'],
  ])('of a host that %s is named and never read', { timeout: 120_000 }, async (_what, name) => {
    const one = await mirrored(name, made.directory);
    expect(one.state()).toMatchObject({ state: 'current', reason: null });
    const reader = one.reader();
    if (reader === null) throw new Error('nothing is read');
    const before = process.memoryUsage().rss;
    expect(answerOf(await reader.files(sha)).count).toBe(3);
    const closure = answerOf(await reader.closure({ at: main, path: 'app' }));
    expect(closure).toMatchObject({ directories: ['app'], missing: ['app/kustomization.yaml'] });
    expect(answerOf(await reader.touches(sha, ['app', 'other']))).toEqual([true, false]);
    const at = (path: string) => ({ at: main, path });
    const compared = answerOf(await reader.compare({ at: { type: 'commit', sha: first }, path: 'app' }, at('app')));
    expect(compared.files.map(({ path, content }) => `${path} ${content}`)).toContain('huge.yaml too-large');
    const diff = await reader.diff(at('app/huge.yaml'), at('app/kustomization.yaml'));
    expect(JSON.stringify(diff).length).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28);
  });
});

it('a submodule, a link and a base that point at this machine lead nobody there', async () => {
  const reached: string[] = [];
  const trap = createServer((socket) => {
    reached.push('connection');
    socket.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void trap.close());
  await new Promise((resolve) => trap.once('listening', resolve));
  const bound = trap.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const made = madeRepository();
  onTestFinished(() => made.remove());
  const at = `http://127.0.0.1:${port}/x.git`;
  const secret = join(bed.folder, 'secret');
  writeFileSync(secret, 'words of this machine');
  made.commits({
    on: 'main',
    files: {
      '.gitmodules': `[submodule "-x"]\n\tpath = app/sub\n\turl = ${at}\n\tupdate = !touch ${join(bed.folder, 'pwned')}\n`,
      '.gitattributes': '* filter=x diff=x\n',
      '.lfsconfig': `[lfs]\n\turl = ${at}\n`,
      'app/sub': { submodule: '1'.repeat(40) },
      'app/link': { link: secret },
      'app/kustomization.yaml': `resources: [sub, link, "${at}//x?ref=main", "git::${at}", "--upload-pack=x"]`,
    },
  });
  const one = await mirrored('host', made.directory);
  bed.now += minute;
  await one.fetch();
  const reader = one.reader();
  if (reader === null) throw new Error('nothing is read');
  const told = [
    await reader.closure({ at: main, path: 'app' }),
    await reader.compare({ at: main, path: 'app' }, { at: main, path: '' }),
    await reader.diff({ at: main, path: 'app/link' }, { at: main, path: 'app/sub' }),
  ];
  expect(told.map(({ type }) => type)).toContain('told');
  expect([reached, JSON.stringify(told).includes('words of this machine')]).toEqual([[], false]);
  expect(readdirSync(bed.folder)).not.toContain('pwned');
});

it('names with line feeds and letters that turn the text are told on one line, and stay apart', async () => {
  const made = madeRepository();
  onTestFinished(() => made.remove());
  const files = { 'app/a\nb.yaml': '1', 'app/a\u202Eb.yaml': '1', 'app/a b.yaml': '1', '\u2066x\n/y': '1' };
  const author = 'Eve\u202E <e@example.org>';
  made.commits(
    { on: 'main', files, author, message: 'One\u2028two\u202E\u0007\n\nBody' },
    { on: 'fea\u2067ture', files: {}, message: '\n\n\u200B' },
  );
  made.git(['tag', 'v1\u202E', 'main']);
  const one = await mirrored('host', made.directory);
  const reader = one.reader();
  if (reader === null) throw new Error('nothing is read');
  const [commit] = answerOf(await reader.log({ branch: null, after: null, limit: 10 })).commits;
  const told = answerOf(await reader.files(commit?.sha ?? ''));
  const words = [one.state(), commit, told.files.map(({ path }) => path)].map((each) => JSON.stringify(each)).join();
  expect(words).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\\n/u);
  expect(told.count).toBe(4);
  expect(await subjects(one)).toHaveLength(1);
});
