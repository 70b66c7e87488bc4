import { expect, it } from 'vitest';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { noGit, type GitReader } from '#server/git/port/git-reader.ts';
import type { RepositoryState } from '#server/git/port/shapes.ts';
import { gitWithin } from './git-within.ts';

/** Directories that objects name which run a commit that the mirror holds. */
function named(...directories: readonly string[]) {
  const commits = new Set(['a'.repeat(40)]);
  return () => new Map([[repositoryKey(ours), new Map(directories.map((directory) => [directory, commits]))]]);
}

const ours = 'https://github.com/acme/ours';
const others = 'https://github.com/acme/others';

it('answers about the repositories of its keys alone, of others as of such that are not mirrored', async () => {
  const asked: string[] = [];
  const git: GitReader = {
    ...noGit('never'),
    async commits(repository, shas) {
      asked.push(repository);
      return { type: 'told', asOf: 1, answer: shas.map(() => commit) };
    },
  };
  const seen = gitWithin(git, named(''), () => 1);
  expect(await seen.commits(ours, [])).toEqual({ type: 'told', asOf: 1, answer: [] });
  expect((await seen.commits(others, [])).type).toBe('not-told');
  expect((await seen.log(others, { branch: null, after: null, limit: 1 })).type).toBe('not-told');
  expect(asked).toEqual([repositoryKey(ours), ours]);
});

const commit = {
  ...{ sha: 'a'.repeat(40), parents: [], authoredAt: 1, committedAt: 1, author: '', subject: '' },
  ...{ pullRequest: null, signed: false, tags: [] },
};
const at = { type: 'branch', name: 'main' } as const;
const state: RepositoryState = {
  ...{ key: repositoryKey(ours), url: ours, origin: 'configured', state: 'current', reason: null, fetchedAt: 1 },
  ...{ triedAt: 1, failingSince: null, defaultBranch: 'main', branches: [], bytes: 1, rewritten: [], gaps: [] },
};
/** Every commit is held. */
const held: GitReader['commits'] = (_repository, shas) =>
  Promise.resolve({ type: 'told', asOf: 1, answer: shas.map(() => commit) });

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
    commits: held,
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
  const seen = gitWithin(git, named('clusters/eu', 'clusters/us'), () => 1);
  const answer = await seen.compare(ours, { at, path: left }, { at, path: right });
  if (answer.type === 'not-told') throw new Error(answer.reason);
  expect(answer.answer.files.map(({ path }) => path)).toEqual(told);
  expect(answer.answer.counts).toEqual({ equal: 0, different: 1, leftOnly: 1, rightOnly: 0 });
});

it('of directories beside them nothing is told, by whatever way they are named', async () => {
  const asked: string[] = [];
  const git: GitReader = {
    ...noGit('never'),
    commits: held,
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
  const seen = gitWithin(git, named('clusters/eu'), () => 1);
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

it.each<[string, readonly string[], readonly string[]]>([
  ['has run nothing', [], []],
  ['runs a commit of another repository', ['b'.repeat(40)], []],
  ['runs a commit of it', ['b'.repeat(40), commit.sha], ['files', 'lines', 'log']],
])('an object that names a repository and %s has these told of it: %j', async (_what, commits, expected) => {
  let now = 0;
  let asked = 0;
  const git: GitReader = {
    ...noGit('never'),
    commits(_repository, shas) {
      asked += 1;
      return Promise.resolve({
        type: 'told',
        asOf: 1,
        answer: shas.map((sha) => (sha === commit.sha ? commit : null)),
      });
    },
    repositories: () => Promise.resolve({ type: 'told', asOf: 1, answer: [state] }),
    find: () => Promise.resolve({ type: 'told', asOf: 1, answer: [{ repository: state.key, url: ours, commit }] }),
    diff: () => Promise.resolve({ type: 'told', asOf: 1, answer: { content: 'text', hunks: [], cut: false } }),
    files: () => Promise.resolve({ type: 'told', asOf: 1, answer: { files: [], count: 0 } }),
    log: () => Promise.resolve({ type: 'told', asOf: 1, answer: { branch: 'main', commits: [commit], next: null } }),
  };
  const seen = gitWithin(
    git,
    () => new Map([[state.key, new Map([['', new Set(commits)]])]]),
    () => now,
  );
  const told = async () => {
    const answers = {
      files: await seen.files(ours, commit.sha),
      lines: await seen.diff(ours, { at, path: 'secret.yaml' }, { at, path: 'secret.yaml' }),
      log: await seen.log(ours, { branch: null, after: null, limit: 1 }),
    };
    return Object.entries(answers).flatMap(([name, { type }]) => (type === 'told' ? [name] : []));
  };
  expect(await told()).toEqual(expected);
  const [states, found] = [await seen.repositories(), await seen.find('aaaaaaa')];
  const lengths = [states, found].map((one) => (one.type === 'told' ? one.answer.length : null));
  expect(lengths).toEqual(expected.length > 0 ? [1, 1] : [0, 0]);
  // It may come with the next fetch; and what has come stays.
  const before = asked;
  now = 20_000;
  await told();
  expect(asked - before).toBe(commits.length === 0 || expected.length > 0 ? 0 : 1);
});
