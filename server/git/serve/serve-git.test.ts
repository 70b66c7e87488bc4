import { chmodSync, existsSync, mkdtempSync, symlinkSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { noGit, type GitReader } from '../port/git-reader.ts';
import { remoteGit } from '../port/remote-git.ts';
import { gitSocketPath } from '../port/socket-path.ts';
import { type GitServing, serveGit } from './serve-git.ts';

let folder: string;
let socket: string;
const servings: GitServing[] = [];
const sha = 'a'.repeat(40);
const known = { type: 'known', to: sha, touching: 0, oldest: null } as const;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-ask-'));
  socket = gitSocketPath(folder);
});

afterEach(async () => {
  for (const serving of servings.splice(0)) if (serving.type === 'serving') await serving.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(change: Partial<GitReader> = {}): Promise<GitServing> {
  const serving = await serveGit(socket, { ...noGit('Nothing here.'), ...change }, silentLog);
  servings.push(serving);
  return serving;
}

/** Status of a question put as it stands. */
function post(path: string, body: string, method = 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, path, method }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

it('answers what is asked, with what was given', async () => {
  await serve({
    contain: async (repository, of, commits) => ({
      type: 'told',
      asOf: 7,
      answer: commits.map((one) => one === of && repository === 'r'),
    }),
  });
  const git = remoteGit(socket);
  expect(await git.contain('r', sha, [sha, 'b'.repeat(40)])).toEqual({ type: 'told', asOf: 7, answer: [true, false] });
  expect(await git.files('r', sha)).toEqual({ type: 'not-told', reason: 'Nothing here.' });
});

it('is asked for many distances piece by piece, and tells them as one answer, as of the oldest', async () => {
  const asked: number[] = [];
  const serving = await serve({
    distances: async (_repository, ranges) => {
      asked.push(ranges.length);
      const answer = ranges.map(({ path }) => ({ ...known, commits: Number(path) }));
      return { type: 'told', asOf: 10 - asked.length, answer };
    },
  });
  const git = remoteGit(socket);
  const to = { type: 'branch', name: 'main' } as const;
  const ranges = Array.from({ length: 2_500 }, (_, n) => ({ path: String(n), from: sha, to }));
  const told = await git.distances('r', ranges);
  expect(asked).toEqual([1_000, 1_000, 500]);
  const answer = ranges.map(({ path }) => ({ ...known, commits: Number(path) }));
  expect(told).toEqual({ type: 'told', asOf: 7, answer });
  expect(await git.distances('r', [])).toEqual({ type: 'told', asOf: 6, answer: [] });
  if (serving.type === 'serving') await serving.stop();
  expect((await git.distances('r', ranges)).type).toBe('not-told');
});

it('is asked piece by piece about paths of which much is said: one source makes nobody else untold', async () => {
  const pieces: string[] = [];
  await serve({
    touches: async (_repository, _sha, paths) => {
      pieces.push(`touches ${paths.length}`);
      return { type: 'told', asOf: 9 - pieces.length, answer: paths.map((path) => path === 'own') };
    },
    between: async (_repository, ranges) => {
      pieces.push(`between ${ranges.length}`);
      return { type: 'told', asOf: 9, answer: ranges.map(() => ({ type: 'unknown', why: 'rewritten' })) };
    },
    builtFrom: async (_repository, _at, { paths, files }) => {
      pieces.push(`builtFrom ${paths.length}`);
      return { type: 'told', asOf: 9, answer: files.map(() => paths.map((_path, index) => index)) };
    },
  });
  const git = remoteGit(socket);
  const sparse = Array.from({ length: 256 }, (_, n) => `${n}`.padEnd(1_024, 'a'));
  const large = Array.from({ length: 40 }, (_, n) => ({ path: `apps/${n}`, components: [], ignore: '', sparse }));
  const paths = [...large, 'own'];
  const told = await git.touches('r', sha, paths);
  expect(told).toEqual({ type: 'told', asOf: -5, answer: [...large.map(() => false), true] });
  const at = { type: 'commit', sha } as const;
  const between = await git.between(
    'r',
    paths.map((path) => ({ path, from: sha, to: at })),
  );
  expect(between).toMatchObject({ type: 'told', answer: { length: 41 } });
  const built = await git.builtFrom('r', at, { paths, files: ['a', 'b'] });
  const all = paths.map((_path, index) => index);
  expect(built).toEqual({ type: 'told', asOf: 9, answer: [all, all] });
  expect(pieces.filter((piece) => piece.startsWith('touches')).length).toBe(14);
  expect(pieces).toHaveLength(42);
});

it('is open to nobody but this user', async () => {
  await serve();
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
});

it('refuses questions that are none', async () => {
  await serve();
  expect(await post('/contain', '{"given":["r","not a hash",[]]}')).toBe(400);
  expect(await post('/contain', '{"given":["r"]}')).toBe(400);
  expect(await post('/contain', 'nonsense')).toBe(400);
  expect(await post('/contain', '', 'GET')).toBe(404);
  for (const name of ['/', '/constructor', '/__proto__', '/toString', '/fetch'])
    expect(await post(name, '{"given":[]}')).toBe(404);
});

it('reads no question that is too large', async () => {
  await serve();
  const cut = await post('/find', JSON.stringify({ given: ['a'.repeat(5 * 1024 * 1024)] })).catch(() => 'cut');
  expect([400, 'cut']).toContain(cut);
});

it('a question that fails costs that one answer', async () => {
  await serve({ files: () => Promise.reject(new Error('a bug')) });
  const git = remoteGit(socket);
  const silent = { type: 'not-told', reason: 'The process that reads git repositories does not answer.' };
  expect(await git.files('r', sha)).toEqual(silent);
  expect(await git.closure('r', { at: { type: 'commit', sha }, path: '' })).toMatchObject({ reason: 'Nothing here.' });
});

it('an answer of another shape is none', async () => {
  const odd: unknown = { type: 'told', asOf: 1, answer: { files: 'many', count: 'x' } };
  await serve({ files: () => Promise.resolve(JSON.parse(JSON.stringify(odd))) });
  expect((await remoteGit(socket).files('r', sha)).type).toBe('not-told');
});

it('while nobody answers, everything is not told', async () => {
  const git = remoteGit(socket);
  expect((await git.repositories()).type).toBe('not-told');
  await git.want([]);
});

it('takes the place of a process that was killed, and not of one that lives', async () => {
  mkdirSync(dirname(socket), { recursive: true });
  writeFileSync(socket, '');
  expect((await serve()).type).toBe('serving');
  expect((await serve()).type).toBe('taken');
  const [first] = servings.splice(0);
  if (first?.type === 'serving') await first.stop();
  expect(existsSync(socket)).toBe(false);
  expect((await serve()).type).toBe('serving');
});

it('has a path that a socket can have, however deep the data lies', () => {
  const deep = `/${'folder/'.repeat(40)}data`;
  const path = gitSocketPath(deep);
  expect(Buffer.byteLength(path)).toBeLessThan(104);
  expect(path).not.toBe(gitSocketPath(`${deep}2`));
  expect(gitSocketPath('/var/lib/plumbline')).toBe('/var/lib/plumbline/git/ask.sock');
});

describe.skipIf(process.platform === 'win32')('where the data lies too deep for a socket', () => {
  let shared: string;
  beforeEach(() => {
    socket = gitSocketPath(join(folder, 'folder/'.repeat(20)));
    shared = dirname(socket);
  });
  afterEach(() => rmSync(shared, { recursive: true, force: true }));

  it('stands in a folder of this user alone, and is answered by it', async () => {
    expect((await serve()).type).toBe('serving');
    expect(statSync(shared).mode & 0o777).toBe(0o700);
    expect((await remoteGit(socket).repositories()).type).toBe('not-told');
  });

  it.each<[string, () => void]>([
    ['others may write', () => chmodSync(shared, 0o777)],
    [
      'leads elsewhere',
      () => {
        rmSync(shared, { recursive: true });
        mkdirSync(join(folder, 'theirs'), { mode: 0o700 });
        symlinkSync(join(folder, 'theirs'), shared);
      },
    ],
  ])('nobody serves, or is asked, in a folder of its name that %s', async (_what, spoil) => {
    mkdirSync(shared, { mode: 0o700 });
    await serve({ repositories: () => Promise.resolve({ type: 'told', asOf: 1, answer: [] }) });
    expect((await remoteGit(socket).repositories()).type).toBe('told');
    spoil();
    expect((await remoteGit(socket).repositories()).type).toBe('not-told');
    expect(await serve()).toMatchObject({ type: 'refused', message: expect.stringContaining('of this user alone') });
  });
});
