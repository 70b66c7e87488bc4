import { afterEach, beforeEach, expect, it } from 'vitest';
import { runGit } from '../program/run-git.ts';
import { usualBounds, type IndexBounds } from './index/commit-index.ts';
import { openRepository, type RepositoryReader } from './open-repository.ts';
import { madeRepository, type MadeRepository } from './testing/made-repository.ts';
import { answerOf, pushed } from './testing/opened.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

const main = { type: 'branch', name: 'main' } as const;

function change(n: number) {
  return { on: 'main', files: { [`a/f${n}`]: `${n}` } };
}

async function bounded(bounds: Partial<IndexBounds>): Promise<RepositoryReader> {
  const reader = openRepository(made.directory, { runGit, host: null, bounds: { ...usualBounds, ...bounds } });
  await pushed(reader, made);
  return reader;
}

async function counts(reader: RepositoryReader, shas: readonly string[]): Promise<readonly unknown[]> {
  const found = answerOf(await reader.between(shas.map((from) => ({ path: 'a', from, to: main }))));
  return found.map((each) => (each.type === 'known' ? each.touchingCount : each.why));
}

it.each<[string, Partial<IndexBounds>]>([
  ['commits', { commits: 4 }],
  // Two names each: the directory and the file.
  ['changes', { names: 7 }],
])('knows the newest of more %s than are kept', async (_, bounds) => {
  const shas = made.commits(...[1, 2, 3, 4, 5, 6].map(change));
  const reader = await bounded(bounds);
  const known = await counts(reader, shas);
  expect(known.slice(0, 2)).toEqual(['too-many', 'too-many']);
  expect(known.at(-3)).toBe(2);
  expect(known.at(-1)).toBe(0);
  made.commits(change(7));
  await pushed(reader, made);
  expect((await counts(reader, shas)).at(-1)).toBe(1);
});

it('adds nothing for questions once it is full, goes on with pushes, and is made anew when that helps', async () => {
  const [first = '', second = '', other = ''] = made.commits(change(1), change(2), {
    on: 'other',
    parents: [],
    files: { 'b/x': '1' },
  });
  made.git(['update-ref', '-d', 'refs/heads/other']);
  // Each commit writes three entries: the file, its directory, the root.
  const reader = await bounded({ entries: 7 });
  expect(await counts(reader, [first])).toEqual([1]);
  expect(answerOf(await reader.contain(first, [second, other]))).toEqual([true, false]);
  const [third = ''] = made.commits({ on: 'third', parents: [], files: { 'c/x': '1' } });
  made.git(['update-ref', '-d', 'refs/heads/third']);
  expect(answerOf(await reader.contain(first, [second, third]))).toEqual([true, null]);
  for (const n of [3, 4, 5]) {
    made.commits(change(n));
    await pushed(reader, made);
    expect(await counts(reader, [first])).toEqual([n - 1]);
  }
});

it('tells of a commit that is too large to be read its times, and that it is', async () => {
  const at = Date.UTC(2026, 9, 1) / 1_000;
  const [small = '', large = ''] = made.commits(
    { on: 'main', files: { a: '1' }, message: 'small', at },
    { on: 'main', files: { a: '2' }, message: 'x'.repeat(3 * 1024 * 1024), at: at + 60 },
  );
  const reader = await bounded({});
  const { commits } = answerOf(await reader.log({ branch: null, after: null, limit: 10 }));
  expect(commits.map(({ sha, subject, author, committedAt }) => [sha, subject, author !== '', committedAt])).toEqual([
    [large, '(too large to be read)', false, (at + 60) * 1_000],
    [small, 'small', true, at * 1_000],
  ]);
});

it('leaves out a branch that is too large, says so with the figure, and tells of the others', async () => {
  const [first = ''] = made.commits(change(1), {
    ...{ on: 'large', parents: [] },
    files: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`b/f${n}`, '1'])),
  });
  const reader = openRepository(made.directory, { runGit, host: null, bounds: { ...usualBounds, names: 40 } });
  const refreshed = () => reader.refresh({ defaultBranch: 'main', branches: made.branches() });
  expect(await refreshed()).toBe(true);
  expect(answerOf(await reader.commits([first]))[0]?.sha).toBe(first);
  expect(await counts(reader, [first])).toEqual([0]);
  expect(reader.leftOut()).toBe(
    'More is in it than is read of one repository (40 names of files and directories, 240 MB of memory): commits of large are not listed, nor what they touch.',
  );
  made.git(['update-ref', '-d', 'refs/heads/large']);
  expect(await refreshed()).toBe(true);
  expect(reader.leftOut()).toBeNull();
});
