import { expect, it } from 'vitest';
import { CommitQuery } from '../commit.ts';

const waitOf = (wait: string) => CommitQuery.safeParse({ sha: '2d81a0c', wait });

it.each([
  ['0', 0],
  ['900', 900],
  ['1800', 1_800],
  ['15m', 900],
  ['30m', 1_800],
  ['1m30s', 90],
  ['250ms', 1],
])('a wait of %s is %i s', (wait, seconds) => {
  expect(waitOf(wait).data?.wait).toBe(seconds);
});

it('is none where nothing is said', () => {
  expect(CommitQuery.parse({ sha: '2d81a0c' }).wait).toBe(0);
});

it.each(['', '1801', '31m', '-1', '1.5', 'soon', '15 m', '1e3', '0x10', '99999'])('a wait of %j is refused', (wait) => {
  expect(waitOf(wait).error?.issues[0]?.message).toBe('must be seconds or a duration such as 15m, at most 30m');
});
