import { expect, it } from 'vitest';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { type GitReader, noGit } from '#server/git/port/git-reader.ts';
import { repositoriesOf } from '../commits/fleet-repositories.ts';
import { sampleObject } from '../testing/sample.ts';
import { provenBuilds } from './proven-builds.ts';

const secret = 'https://github.com/acme/secret';
const [held, unknown] = ['a'.repeat(40), 'b'.repeat(40)];
const revision = { applied: null, attempted: null, offered: null };

/** Mirrors whose one repository holds one commit; notes what it is asked. */
function mirrors(asked: string[][] = []): GitReader {
  const commit = { parents: [], authoredAt: 1, committedAt: 1, author: '', subject: '' };
  return {
    ...noGit('never'),
    async commits(_repository, shas) {
      asked.push([...shas]);
      const answer = shas.map((sha) =>
        sha === held ? { ...commit, sha, pullRequest: null, signed: false, tags: [] } : null,
      );
      return { type: 'told', asOf: 1, answer };
    },
  };
}

function buildsOf(git: GitReader, ...objects: readonly Parameters<typeof sampleObject>[1][]) {
  const all = objects.map((rest, n) => sampleObject({ name: `app-${n}` }, { repository: secret, ...rest }));
  const repositories = repositoriesOf([{ objects: all }]);
  return provenBuilds(git, () => repositories);
}

it.each([
  ['ran a commit that the mirror holds', { commit: held, revision }, ['clusters/eu']],
  ['tried one', { commit: null, revision: { ...revision, attempted: `main@sha1:${held}` } }, ['clusters/eu']],
  ['ran another commit', { commit: unknown, revision: { ...revision, attempted: `main@sha1:${unknown}` } }, null],
  [
    'is offered one, and has not tried it',
    { commit: null, revision: { ...revision, offered: `main@sha1:${held}` } },
    null,
  ],
  ['never ran', { commit: null, revision }, null],
])('an applier that %s', async (_, rest, directories) => {
  const found = await buildsOf(mirrors(), { path: 'clusters/eu', ...rest }).directoriesOf(repositoryKey(secret));
  expect(found === null ? null : [...found]).toEqual(directories);
});

it('only the directories of those that are proven are told', async () => {
  const builds = buildsOf(
    mirrors(),
    { path: 'clusters/eu', commit: held, revision },
    { path: './', commit: unknown, revision },
  );
  expect([...((await builds.directoriesOf(repositoryKey(secret))) ?? [])]).toEqual(['clusters/eu']);
  expect(await builds.directoriesOf(repositoryKey('https://github.com/acme/others'))).toBeNull();
});

it('a mirror that does not answer proves nothing', async () => {
  const builds = buildsOf(noGit('It does not answer.'), { path: 'clusters/eu', commit: held, revision });
  expect(await builds.directoriesOf(repositoryKey(secret))).toBeNull();
});

it('what is known to be held is not asked for again; what is not, is', async () => {
  const asked: string[][] = [];
  const all = buildsOf(mirrors(asked), { commit: held, revision });
  await all.directoriesOf(repositoryKey(secret));
  await all.directoriesOf(repositoryKey(secret));
  expect(asked).toEqual([[held]]);
  const some = buildsOf(mirrors(asked), { commit: held, revision }, { commit: unknown, revision });
  await some.directoriesOf(repositoryKey(secret));
  await some.directoriesOf(repositoryKey(secret));
  expect(asked.slice(1)).toEqual([[held, unknown], [unknown]]);
});

it('asks for so many commits at once, and no more than so many', async () => {
  const asked: string[][] = [];
  const shas = Array.from({ length: 6_000 }, (_, n) => n.toString(16).padStart(40, '0'));
  const builds = buildsOf(mirrors(asked), ...shas.map((commit) => ({ commit, revision })));
  expect(await builds.directoriesOf(repositoryKey(secret))).toBeNull();
  expect(asked.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 500));
});
