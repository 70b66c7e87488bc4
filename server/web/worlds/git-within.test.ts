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
  const seen = gitWithin(git, () => new Set([repositoryKey(ours)]));
  expect(await seen.commits(ours, [])).toEqual({ type: 'told', asOf: 1, answer: [] });
  expect((await seen.commits(others, [])).type).toBe('not-told');
  expect((await seen.log(others, { branch: null, after: null, limit: 1 })).type).toBe('not-told');
  expect(asked).toEqual([ours]);
});
