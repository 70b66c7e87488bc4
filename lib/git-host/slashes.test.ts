import { expect, it } from 'vitest';
import { commitDigits } from './commit-digits.ts';
import { repositoryKey } from './repository-key.ts';

const many = '/'.repeat(400_000);

it.each([
  ['a pasted commit', (text: string) => commitDigits(text)],
  ['a pasted commit behind a query', (text: string) => commitDigits(`${'?'.repeat(400_000)}\n${text}`)],
  ['a key of a repository', (text: string) => repositoryKey(text)],
])('%s is read in time, whatever slashes it has', (_, read) => {
  const before = process.threadCpuUsage();
  read(`a${many}b`);
  const { user } = process.threadCpuUsage(before);
  expect(user / 1_000).toBeLessThan(500);
});

it.each([
  ['https://git.example.org/acme/x/commit/0123456789abcdef///', '0123456789abcdef'],
  ['0123456789abcdef?x=1', '0123456789abcdef'],
  ['///', null],
])('%s is the commit %s', (text, digits) => {
  expect(commitDigits(text)).toBe(digits);
});
