// A commit that several repositories hold: whoever writes a source can bring a fork.
import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitReader, Told } from '#server/git/port/git-reader.ts';
import { createFleetCache } from '../../cache/fleet-cache.ts';
import { type FakeRepository, fakeGit, fakeSha } from '../../testing/fake-git.ts';
import { given, sampleMoment } from '../../testing/moment.ts';
import { sampleCluster, sampleObject } from '../../testing/sample.ts';
import { commitPage } from '../commit-page.ts';

const own = 'https://github.com/acme/control-repo';
const fork = 'https://github.com/mallory/control-repo';
const commits: FakeRepository['commits'] = [
  { digit: 'a', files: ['README.md'] },
  { digit: 'b', files: ['apps/k.yaml'] },
];
const asked = { sha: fakeSha('b'), cluster: '', label: '', state: '', wait: 0 };

/** Mirrors of several repositories, in the order in which they were wanted. */
function mirrors(...repositories: readonly FakeRepository[]): GitReader {
  const all = repositories.map((one) => ({ key: repositoryKey(one.url), git: fakeGit(one) }));
  const of = (repository: string): GitReader => {
    const found = all.find(({ key }) => key === repositoryKey(repository));
    if (found === undefined) throw new Error(`${repository} is not mirrored`);
    return found.git;
  };
  async function joined<One>(ask: (git: GitReader) => Promise<Told<readonly One[]>>): Promise<Told<readonly One[]>> {
    const told = await Promise.all(all.map(({ git }) => ask(git)));
    return { type: 'told', asOf: 1, answer: told.flatMap((one) => (one.type === 'told' ? one.answer : [])) };
  }
  return {
    ...of(own),
    repositories: () => joined((git) => git.repositories()),
    find: (digits) => joined((git) => git.find(digits)),
    commits: (repository, shas) => of(repository).commits(repository, shas),
    touches: (repository, sha, paths) => of(repository).touches(repository, sha, paths),
    contain: (repository, sha, wanted) => of(repository).contain(repository, sha, wanted),
    between: (repository, ranges) => of(repository).between(repository, ranges),
    onBranch: (repository, pairs) => of(repository).onBranch(repository, pairs),
    files: (repository, sha) => of(repository).files(repository, sha),
  };
}

function momentOf(git: GitReader, ...runs: readonly (readonly [string, string, string])[]) {
  const cache = createFleetCache();
  for (const name of ['eu', 'us']) cache.apply([{ type: 'cluster', cluster: sampleCluster(name) }]);
  for (const [cluster, repository, digit] of runs) {
    const [commit, revision] = [fakeSha(digit), `main@sha1:${fakeSha(digit)}`];
    const object = sampleObject(
      { cluster, name: `of-${digit}` },
      { repository, path: 'apps', commit, revision: { applied: revision, attempted: revision, offered: revision } },
    );
    cache.apply([{ type: 'object', object }]);
  }
  return sampleMoment(cache, defaultPolicy, git);
}

const found = { origin: 'found' } as const;

it.each([
  [
    'before',
    [
      { url: fork, commits, state: found },
      { url: own, commits, state: found },
    ],
  ],
  [
    'behind',
    [
      { url: own, commits, state: found },
      { url: fork, commits, state: found },
    ],
  ],
])('has not arrived where a fork that was found %s it runs it, and it does not', async (_, repositories) => {
  const moment = momentOf(mirrors(...repositories), ['eu', fork, 'b'], ['us', own, 'a']);
  const { outcome, clusters } = given(await commitPage(moment, asked));
  expect(clusters.map(({ cluster, state }) => [cluster, state])).toEqual([
    ['us', 'on-its-way'],
    ['eu', 'converged'],
  ]);
  expect(outcome).toBe('waiting');
});

it('has arrived once it runs from all of them', async () => {
  const git = mirrors({ url: fork, commits, state: found }, { url: own, commits });
  const { outcome } = given(await commitPage(momentOf(git, ['eu', fork, 'b'], ['us', own, 'b']), asked));
  expect(outcome).toBe('arrived');
});

it.each([
  ['that is configured, whatever more is built from a fork', { origin: 'configured' } as const, ['eu', 'us'], own],
  ['from which most is built, where none is configured', found, ['eu', 'us'], fork],
])('is told of the repository %s', async (_, state, ofFork, expected) => {
  const git = mirrors({ url: fork, commits, state: found }, { url: own, commits, state });
  const runs = ofFork.map((cluster) => [cluster, fork, 'b'] as const);
  const { url } = given(await commitPage(momentOf(git, ...runs, ['us', own, 'a']), asked));
  expect(url).toBe(expected);
});
