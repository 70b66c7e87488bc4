import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { commitPath } from '#lib/api/paths.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireCommitName } from '../testing/wire-commit.ts';
import { Commit, CommitWords } from './commit.tsx';

const sha = (digit: string) => digit.repeat(40);
const host = 'https://git.example.org/commit';

const known = [wireCommitName({ sha: sha('a'), subject: 'Commit a' })];

it('is named on hover and leads to its page where a mirror holds it, and keeps its digits', async () => {
  showPage(<Commit commit={sha('a')} href={`${host}/a`} />, { commits: known });
  expect(screen.getByRole('link').getAttribute('href')).toBe(`${host}/a`);
  const link = await screen.findByTitle('Commit a, Ines Duarte, 30 min ago');
  expect([link.textContent, link.getAttribute('href')]).toEqual(['aaaaaaa', commitPath(sha('a'))]);
});

it('leads to its git host, or nowhere, where no mirror holds it', async () => {
  const { gitAsked } = showPage(
    <>
      <Commit commit={sha('a')} href={`${host}/a`} />
      <Commit commit={sha('b')} href={null} />
      <CommitWords commit={sha('b')} />
    </>,
  );
  await waitFor(() => expect(gitAsked).toHaveLength(1));
  expect(screen.getByRole('link').getAttribute('href')).toBe(`${host}/a`);
  expect(document.body.textContent).toBe('aaaaaaabbbbbbb');
});

it('says subject, author and age where there is room', async () => {
  showPage(<CommitWords commit={sha('a')} digits />, { commits: known });
  await waitFor(() => expect(document.body.textContent).toBe('aaaaaaa: Commit a, Ines Duarte, 30 min ago'));
});

it('asks for all commits of a screen at once, each once, at most 100 in a question, and for no first digits', async () => {
  const many = Array.from({ length: 130 }, (_, at) => at.toString(16).padStart(40, '0'));
  const { gitAsked } = showPage(
    [...many, ...many, '2d81e55'].map((commit, at) => <Commit key={`${at}${commit}`} commit={commit} href={null} />),
  );
  await waitFor(() => expect(gitAsked).toHaveLength(2));
  const sizes = gitAsked.map((path) => new URL(path, host).searchParams.get('sha')?.split(',').length);
  expect(sizes.toSorted((a = 0, b = 0) => b - a)).toEqual([100, 30]);
});
