import { expect, it } from 'vitest';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { noGit, type GitReader } from '#server/git/port/git-reader.ts';
import { gitWithin } from './git-within.ts';

const ours = 'https://github.com/acme/ours';
const others = 'https://github.com/acme/others';

it('answers about the repositories of its keys alone, of others as of such that are not mirrored', async () => {
  const asked: string[] = [];
  const git: GitReader = {
    ...noGit('never'),
    async commits(repository) {
      asked.push(repository);
      return { type: 'told', asOf: 1, answer: [] };
    },
  };
  const seen = gitWithin(git, () => Promise.resolve(new Map([[repositoryKey(ours), new Set<string>()]])));
  expect(await seen.commits(ours, [])).toEqual({ type: 'told', asOf: 1, answer: [] });
  expect((await seen.commits(others, [])).type).toBe('not-told');
  expect((await seen.log(others, { branch: null, after: null, limit: 1 })).type).toBe('not-told');
  expect(asked).toEqual([ours]);
});

const commit = {
  ...{ sha: 'a'.repeat(40), parents: [], authoredAt: 1, committedAt: 1, author: '', subject: '' },
  ...{ pullRequest: null, signed: false, tags: [] },
};
const at = { type: 'branch', name: 'main' } as const;

it.each([
  // Both are seen: all of them is told.
  ['clusters/eu', 'clusters/us', ['a/x.yaml', 'only-left.yaml']],
  // Of what holds others too those files are told of which no side lies beside them.
  ['clusters', 'clusters', ['eu/x.yaml', 'eu/left.yaml']],
])('files of %s and %s are told where something that is seen is built from there', async (left, right, told) => {
  const files = [
    ...told.map(
      (path) => ({ path, status: path.includes('left') ? 'left-only' : 'different', content: 'text' }) as const,
    ),
    ...(left === 'clusters' ? [{ path: 'ap/x.yaml', status: 'different', content: 'text' } as const] : []),
  ];
  const git: GitReader = {
    ...noGit('never'),
    compare: () =>
      Promise.resolve({
        type: 'told',
        asOf: 1,
        answer: {
          left: { commit, path: left, exists: true },
          right: { commit, path: right, exists: true },
          files,
          counts: { equal: 0, different: files.length - 1, leftOnly: 1, rightOnly: 0 },
        },
      }),
  };
  const seen = gitWithin(git, () =>
    Promise.resolve(new Map([[repositoryKey(ours), new Set(['clusters/eu', 'clusters/us'])]])),
  );
  const answer = await seen.compare(ours, { at, path: left }, { at, path: right });
  if (answer.type === 'not-told') throw new Error(answer.reason);
  expect(answer.answer.files.map(({ path }) => path)).toEqual(told);
  expect(answer.answer.counts).toEqual({ equal: 0, different: 1, leftOnly: 1, rightOnly: 0 });
});

it('of directories beside them nothing is told, by whatever way they are named', async () => {
  const asked: string[] = [];
  const git: GitReader = {
    ...noGit('never'),
    compare: (_repository, left, right) =>
      Promise.resolve({
        type: 'told',
        asOf: 1,
        answer: {
          left: { commit, path: left.path, exists: true },
          right: { commit, path: right.path, exists: true },
          files: [],
          counts: { equal: 0, different: 0, leftOnly: 0, rightOnly: 0 },
        },
      }),
    async diff(_repository, left) {
      asked.push(left.path);
      return { type: 'told', asOf: 1, answer: { content: 'text', hunks: [], cut: false } };
    },
  };
  const seen = gitWithin(git, () => Promise.resolve(new Map([[repositoryKey(ours), new Set(['clusters/eu'])]])));
  for (const path of ['clusters/ap', 'clusters/eu-2', 'clusters/eu/../ap', 'apps'])
    expect([path, await seen.compare(ours, { at, path: 'clusters/eu' }, { at, path })]).toMatchObject([
      path,
      { type: 'not-told', reason: 'Nothing in your view is built from there.' },
    ]);
  for (const path of ['clusters/ap/x.yaml', 'clusters/eu/../ap/x.yaml', 'clusters/eu//../x', 'README.md']) {
    const other = { at, path: 'clusters/eu/x.yaml' };
    expect([path, (await seen.diff(ours, other, { at, path })).type]).toEqual([path, 'not-told']);
    expect([path, (await seen.diff(ours, { at, path }, other)).type]).toEqual([path, 'not-told']);
  }
  await seen.diff(ours, { at, path: 'clusters/eu/x.yaml' }, { at, path: 'clusters/eu/a/x.yaml' });
  expect(asked).toEqual(['clusters/eu/x.yaml']);
});
