import { afterEach, beforeEach, expect, it } from 'vitest';
import { runGit } from '#server/git/program/run-git.ts';
import { createMemoryRoom } from '#server/git/reader/index/memory-room.ts';
import { openRepository, type RepositoryReader } from '#server/git/reader/open-repository.ts';
import { madeRepository, type MadeRepository } from '#server/git/reader/testing/made-repository.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];

/** A tree of so many directories that are all the same one, with as many files: a handful of objects. */
function bomb(across: number, beginning = ''): string {
  const blob = made.git(['hash-object', '-w', '--stdin'], beginning);
  const names = Array.from({ length: across }, (_, n) => `${beginning}${n}`);
  const leaf = made.git(['mktree'], names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''));
  return made.git(['mktree'], names.map((name) => `040000 tree ${leaf}\t${name}\n`).join(''));
}

function commitOf(tree: string, branch: string): string {
  const sha = made.git([...who, 'commit-tree', '-m', 'Bomb', tree]);
  made.git(['update-ref', `refs/heads/${branch}`, sha]);
  return sha;
}

async function read(reader: RepositoryReader, sha: string): Promise<boolean> {
  return reader.refresh({ defaultBranch: 'main', branches: new Map([['main', sha]]) });
}

it('two directories of a million files each, of some kilobytes, are not compared, and cost less than a second', async () => {
  const [tip = ''] = made.commits({ on: 'main', files: { a: '1' } });
  const trees = [bomb(1_000), bomb(1_000, 'x')].map((tree, n) => `040000 tree ${tree}\t${n}\n`);
  const sha = commitOf(made.git(['mktree'], trees.join('')), 'other');
  const reader = openRepository(made.directory, { runGit, host: null });
  await read(reader, tip);
  const at = { type: 'commit', sha } as const;
  const began = process.cpuUsage();
  const heap = process.memoryUsage().heapUsed;
  const told = await reader.compare({ at, path: '0' }, { at, path: '1' });
  const { user, system } = process.cpuUsage(began);
  expect(told).toEqual({ type: 'not-told', reason: 'There is too much of it to be read.' });
  expect((user + system) / 1_000).toBeLessThan(1_000);
  expect(process.memoryUsage().heapUsed - heap).toBeLessThan(200_000_000);
  reader.close();
}, 60_000);

it('repositories that are too much together are not kept all, those that clusters name go first, and each says so', async () => {
  const sha = commitOf(bomb(60), 'main');
  const room = createMemoryRoom({ all: 2_500_000, reading: 1_000_000 });
  const [own, ...found] = [false, true, true, true].map((isFound) =>
    openRepository(made.directory, { runGit, host: null, room, isFound }),
  );
  if (own === undefined) throw new Error('none');
  for (const reader of [own, ...found]) expect(await read(reader, sha)).toBe(true);
  const words = 'All repositories together are more than is kept in memory, and it is not read until there is room.';
  const withheld = found.map((reader) => reader.withheld());
  expect(own.withheld()).toBe(null);
  expect(withheld.some((why) => why?.startsWith(words))).toBe(true);
  const without = found[withheld.findIndex((why) => why !== null)];
  const closure = { at: { type: 'branch', name: 'main' } as const, path: '0' };
  expect(await without?.closure(closure)).toMatchObject({ type: 'not-told', reason: expect.stringContaining(words) });
  expect((await own.closure(closure)).type).toBe('told');
  for (const reader of found) if (reader !== without) reader.close();
  expect(await without?.refresh({ defaultBranch: 'main', branches: new Map([['main', sha]]) })).toBe(true);
  expect([without?.withheld(), (await without?.closure(closure))?.type]).toEqual([null, 'told']);
  for (const reader of [own, ...found]) reader.close();
}, 60_000);

it('a commit of 80,000 parents is told as too large, and costs no second', async () => {
  const tree = made.git(['mktree'], '');
  const raw = (parents: readonly string[]): string =>
    made.git(
      ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
      `tree ${tree}\n${parents.map((sha) => `parent ${sha}\n`).join('')}author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`,
    );
  const first = raw([]);
  const some = raw([first, ...Array.from({ length: 1_000 }, () => first)]);
  const tip = raw([some, ...Array.from({ length: 80_000 }, () => first)]);
  made.git(['update-ref', 'refs/heads/main', tip]);
  const reader = openRepository(made.directory, { runGit, host: null });
  await read(reader, tip);
  const began = process.cpuUsage();
  const told = await reader.log({ branch: null, after: null, limit: 10 });
  const { user, system } = process.cpuUsage(began);
  expect(
    told.type === 'told' && told.answer.commits.map(({ sha, subject, parents }) => [sha, subject, parents.length]),
  ).toEqual([
    [tip, '(too large to be read)', 0],
    [some, 'x', 16],
    [first, 'x', 0],
  ]);
  expect((user + system) / 1_000).toBeLessThan(1_000);
  reader.close();
}, 60_000);

it('a path of which everything is built anew by each commit, in fifty spellings, ends within bounds, and others have their turn', async () => {
  const file = (n: number): string => `a/d${n}/kustomization.yaml`;
  const all = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [file(n), 'resources: []']));
  const changes = Array.from({ length: 60 }, (_, n) => ({ on: 'main', files: { [file(n)]: `resources: [x${n}]` } }));
  const [from = '', ...later] = made.commits({ on: 'main', files: all }, ...changes);
  const reader = openRepository(made.directory, { runGit, host: null });
  await read(reader, later.at(-1) ?? '');
  const ranges = Array.from({ length: 50 }, (_, n) => ({
    path: `${'./'.repeat(n)}a`,
    ...{ from, to: { type: 'branch', name: 'main' } as const },
  }));
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const told = await reader.distances(ranges);
  isOver = true;
  expect(told.type === 'told' && told.answer.map((one) => one.type === 'unknown' && one.why)).toEqual(
    ranges.map(() => 'too-many'),
  );
  expect(turns).toBeGreaterThan(50);
  const [alone] = await reader.distances(ranges.slice(0, 1)).then((one) => (one.type === 'told' ? one.answer : []));
  expect(alone).toMatchObject({ type: 'known', commits: 60, touching: 60 });
  reader.close();
}, 60_000);

it('two thousand paths that share a base of three thousand directories are looked at within bounds, and the rest is not known', async () => {
  const base = Array.from({ length: 3_000 }, (_, n) => [`a/d${n}/kustomization.yaml`, 'resources: []'] as const);
  const paths = Array.from({ length: 2_000 }, (_, n) => `p/${n}`);
  const own = paths.map((path) => [`${path}/kustomization.yaml`, `resources: [../../a] #${path}`] as const);
  const [, change = ''] = made.commits(
    { on: 'main', files: Object.fromEntries([...base, ...own]) },
    { on: 'main', files: { 'a/d5/y': '1' } },
  );
  const reader = openRepository(made.directory, { runGit, host: null });
  await read(reader, change);
  const began = process.cpuUsage();
  const told = await reader.touches(change, paths);
  const { user, system } = process.cpuUsage(began);
  const answer = told.type === 'told' ? told.answer : [];
  expect([answer.length, answer[0], answer.at(-1)]).toEqual([2_000, true, null]);
  expect(answer.includes(false)).toBe(false);
  expect((user + system) / 1_000).toBeLessThan(5_000);
  reader.close();
}, 60_000);
