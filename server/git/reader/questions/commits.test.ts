import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommitLog } from '../../port/shapes.ts';
import { madeRepository, type MadeRepository } from '../testing/made-repository.ts';
import { answerOf, opened, pushed } from '../testing/opened.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

const nobody = '1'.repeat(40);

it('tells commits in the order of what was asked, and null for what is none', async () => {
  const [one = '', two = ''] = made.commits({ on: 'main', message: 'One' }, { on: 'main', message: 'Two (#7)' });
  made.git(['tag', 'v1.2.0', one]);
  made.git(['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'tag', '-a', '-m', 'x', 'v1.10.0', one]);
  const reader = await opened(made);
  const tree = made.git(['rev-parse', 'main^{tree}']);
  const found = answerOf(await reader.commits([two, nobody, tree, '--help', 'HEAD', one]));
  expect(found.map((commit) => commit?.subject ?? null)).toEqual(['Two (#7)', null, null, null, null, 'One']);
  expect(found[0]).toMatchObject({ pullRequest: 7, tags: [], author: 'Ada' });
  expect(found[5]?.tags).toEqual(['v1.10.0', 'v1.2.0']);
});

it('learns of new tags on a push', async () => {
  const [one = ''] = made.commits({ on: 'main' });
  const reader = await opened(made);
  expect(answerOf(await reader.commits([one]))[0]?.tags).toEqual([]);
  made.git(['tag', 'v1', one]);
  await pushed(reader, made);
  expect(answerOf(await reader.commits([one]))[0]?.tags).toEqual(['v1']);
});

it.each<[string, (sha: string) => string, number]>([
  ['its first digits', (sha) => sha.slice(0, 9), 1],
  ['the whole hash', (sha) => sha, 1],
  ['too few digits', (sha) => sha.slice(0, 6), 0],
  ['no digits', () => 'main123', 0],
  ['an option', () => '--all--', 0],
  ['nobody', () => nobody, 0],
])('finds a commit by %s', async (_, digits, count) => {
  const [one = ''] = made.commits({ on: 'main' });
  expect(answerOf(await (await opened(made)).find(digits(one)))).toHaveLength(count);
});

it('tells a branch page by page', async () => {
  made.commits(...[1, 2, 3, 4, 5].map((n) => ({ on: 'main', message: `${n}` })));
  const reader = await opened(made);
  const pages: unknown[] = [];
  for (let after: string | null = null, more = true; more;) {
    const page: CommitLog = answerOf(await reader.log({ branch: null, after, limit: 2 }));
    pages.push(page.commits.map(({ subject }) => subject).join(' '));
    after = page.next;
    more = after !== null;
  }
  expect(pages).toEqual(['5 4', '3 2', '1']);
  expect(await reader.log({ branch: 'nope', after: null, limit: 2 })).toMatchObject({ type: 'not-told' });
  expect(await reader.log({ branch: 'main', after: nobody, limit: 2 })).toMatchObject({ type: 'not-told' });
});

it('says whose history holds a commit, through merges as well', async () => {
  const [root = '', tip = '', side = '', merge = '', other = ''] = made.commits(
    { on: 'main', files: { a: '1' } },
    { on: 'main', files: { a: '2' } },
    { on: 'side', parents: [':1'], files: { b: '1' } },
    { on: 'main', parents: [':2', ':3'], files: { b: '1' } },
    { on: 'other', parents: [':1'], files: { c: '1' } },
  );
  const reader = await opened(made);
  const all = [root, tip, side, merge, other, nobody];
  const held = async (sha: string) => answerOf(await reader.contain(sha, all));
  expect(await held(root)).toEqual([true, true, true, true, true, null]);
  expect(await held(side)).toEqual([false, false, true, true, false, null]);
  expect(await held(tip)).toEqual([false, true, false, true, false, null]);
  expect(await held(nobody)).toEqual([null, null, null, null, null, null]);
  const pairs = ['main', 'other', 'nope'].flatMap((branch) => [side, root].map((sha) => ({ sha, branch })));
  expect(answerOf(await reader.onBranch(pairs))).toEqual([true, true, false, true, null, null]);
});

it('says that a commit is on a branch once it was merged', async () => {
  const [root = '', side = ''] = made.commits({ on: 'main' }, { on: 'side', files: { b: '1' } }, { on: 'main' });
  made.commits({ on: 'side', parents: [root], files: { b: '1' } });
  const [topic = ''] = made.commits({ on: 'topic', parents: [root], files: { c: '1' } });
  const reader = await opened(made);
  const asked = [{ sha: topic, branch: 'main' }];
  expect(answerOf(await reader.onBranch(asked))).toEqual([false]);
  made.commits({ on: 'main', parents: [made.branches().get('main') ?? '', topic], files: { c: '1' } });
  await pushed(reader, made);
  expect(answerOf(await reader.onBranch(asked))).toEqual([true]);
  expect(side).not.toBe('');
});

it('tells the files of a commit against its first parent', async () => {
  const [root = '', change = ''] = made.commits(
    { on: 'main', files: { a: '1', b: '1', l: 'x' } },
    { on: 'main', files: { a: '2', b: null, c: '1', l: { link: 'a' } } },
  );
  const reader = await opened(made);
  expect(answerOf(await reader.files(root)).files.map(({ path, change: how }) => `${how} ${path}`)).toEqual([
    'added a',
    'added b',
    'added l',
  ]);
  expect(answerOf(await reader.files(change))).toEqual({
    count: 4,
    files: [
      { path: 'a', change: 'modified' },
      { path: 'b', change: 'removed' },
      { path: 'c', change: 'added' },
      { path: 'l', change: 'type-changed' },
    ],
  });
  expect(await reader.files('HEAD')).toMatchObject({ type: 'not-told' });
});

it('counts more files than it tells', async () => {
  const files = Object.fromEntries(Array.from({ length: 1_200 }, (_, n) => [`f${n}`, '1']));
  const [, many = ''] = made.commits({ on: 'main' }, { on: 'main', files });
  const { files: told, count } = answerOf(await (await opened(made)).files(many));
  expect([told.length, count]).toEqual([1_000, 1_200]);
});

it('answers nothing before the first refresh and after it was closed', async () => {
  made.commits({ on: 'main' });
  const reader = await opened(made);
  reader.close();
  expect(await reader.commits([nobody])).toMatchObject({ type: 'not-told' });
});

it('reads a repository of SHA-256', async () => {
  const long = madeRepository('sha256');
  const [from = '', tip = ''] = long.commits(
    { on: 'main', files: { 'a/kustomization.yaml': 'resources: [x.yaml]', 'a/x.yaml': '1' } },
    { on: 'main', files: { 'a/x.yaml': '2' } },
  );
  const reader = await opened(long);
  const main = { type: 'branch', name: 'main' } as const;
  const before = { type: 'commit', sha: from } as const;
  expect(tip).toHaveLength(64);
  expect(answerOf(await reader.find(tip.slice(0, 12))).map(({ sha }) => sha)).toEqual([tip]);
  expect(answerOf(await reader.between([{ path: 'a', from, to: main }]))).toMatchObject([
    { to: tip, touching: [{ files: ['a/x.yaml'], commit: { parents: [from] } }] },
  ]);
  expect(answerOf(await reader.compare({ at: before, path: 'a' }, { at: main, path: 'a' })).counts.different).toBe(1);
  const diff = await reader.diff({ at: before, path: 'a/x.yaml' }, { at: main, path: 'a/x.yaml' });
  expect(answerOf(diff).hunks).toHaveLength(1);
  long.remove();
});
