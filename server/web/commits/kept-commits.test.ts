import { expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { keptCommits } from './kept-commits.ts';

const url = 'https://github.com/acme/control-repo';

function book() {
  const git = fakeGit({ url, commits: [{ digit: 'a', files: [] }] });
  const asked: (readonly string[])[] = [];
  let [now, sleeps] = [1_000, false];
  const reader: GitReader = {
    ...git,
    commits(repository, shas) {
      asked.push(shas);
      return sleeps ? Promise.resolve({ type: 'not-told', reason: 'It sleeps.' }) : git.commits(repository, shas);
    },
  };
  return {
    asked,
    git,
    book: keptCommits(reader, () => now),
    later: (ms: number) => (now += ms),
    sleep: () => (sleeps = true),
  };
}

async function subjects(reader: GitReader, ...digits: readonly string[]) {
  const told = await reader.commits(url, digits.map(fakeSha));
  return told.type === 'told' ? told.answer.map((commit) => commit?.subject ?? null) : told.reason;
}

it('asks for a commit that was told only once, by any address of its repository, and for what is not known each time', async () => {
  const { asked, git, book: reader } = book();
  expect(await subjects(reader, 'a', 'b')).toEqual(['Commit a', null]);
  git.add({ digit: 'b', files: [] });
  expect(await subjects(reader, 'b', 'a')).toEqual(['Commit b', 'Commit a']);
  expect(asked).toEqual([[fakeSha('a'), fakeSha('b')], [fakeSha('b')]]);
  const told = await reader.commits('git@github.com:acme/control-repo.git', [fakeSha('a')]);
  expect(told).toMatchObject({ type: 'told', answer: [{ subject: 'Commit a' }] });
  expect(asked).toHaveLength(2);
});

it('asks again after a while: tags come', async () => {
  const { asked, book: reader, later } = book();
  await subjects(reader, 'a');
  later(11 * minute);
  await subjects(reader, 'a');
  expect(asked).toHaveLength(2);
});

it('tells names while git does not answer, and why where it has none', async () => {
  const { book: reader, sleep } = book();
  await subjects(reader, 'a');
  sleep();
  expect(await subjects(reader, 'a', 'c')).toEqual(['Commit a', null]);
  expect(await subjects(reader, 'c')).toBe('It sleeps.');
});
