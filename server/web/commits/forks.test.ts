import { beforeEach, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { given, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleObject } from '../testing/sample.ts';
import { commitPage } from './commit-page.ts';

const [ours, fork] = ['https://github.com/acme/control-repo', 'https://github.com/mallory/control-repo'];
const commits = ['a', 'b'].map((digit) => ({ digit, files: ['apps/k.yaml'] }));

/** Two repositories that hold the same commits; the fork is found first. */
function both(): GitReader {
  const gits = [fork, ours].map((url) => ({ key: repositoryKey(url), git: fakeGit({ url, commits }) }));
  const of = (repository: string): GitReader => {
    const found = gits.find(({ key }) => key === repositoryKey(repository));
    if (found === undefined) throw new Error(repository);
    return found.git;
  };
  return {
    ...fakeGit({ url: ours, commits }),
    async find(digits) {
      const all = await Promise.all(gits.map(({ git }) => git.find(digits)));
      return { type: 'told', asOf: 1, answer: all.flatMap((told) => (told.type === 'told' ? told.answer : [])) };
    },
    commits: (repository, shas) => of(repository).commits(repository, shas),
    contain: (repository, sha, each) => of(repository).contain(repository, sha, each),
    touches: (repository, sha, paths) => of(repository).touches(repository, sha, paths),
    between: (repository, ranges) => of(repository).between(repository, ranges),
    onBranch: (repository, pairs) => of(repository).onBranch(repository, pairs),
    files: (repository, sha) => of(repository).files(repository, sha),
  };
}

let cache: ReturnType<typeof createFleetCache>;
beforeEach(() => {
  cache = createFleetCache();
});

function put(cluster: string, name: string, repository: string, digit: string): void {
  const revision = `main@sha1:${fakeSha(digit)}`;
  cache.apply([
    { type: 'cluster', cluster: sampleCluster(cluster) },
    {
      type: 'object',
      object: sampleObject(
        { cluster, name },
        {
          ...{ repository, path: 'apps', commit: fakeSha(digit) },
          revision: { applied: revision, attempted: revision, offered: revision },
        },
      ),
    },
  ]);
}

const query = { sha: fakeSha('b'), cluster: '', label: '', state: '', wait: 0 };

it('a commit has not arrived because it has where a fork is built that holds it too', async () => {
  for (const name of ['one', 'two', 'three']) put('theirs', name, fork, 'b');
  put('eu', 'shop', ours, 'a');
  const page = given(await commitPage(sampleMoment(cache, defaultPolicy, both()), query));
  expect(page.outcome).toBe('waiting');
  expect(page.clusters.map(({ cluster, state }) => [cluster, state])).toEqual([
    ['eu', 'on-its-way'],
    ['theirs', 'converged'],
  ]);
  put('eu', 'shop', ours, 'b');
  expect(given(await commitPage(sampleMoment(cache, defaultPolicy, both()), query)).outcome).toBe('arrived');
});
