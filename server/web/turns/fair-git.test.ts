import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { noGit, type GitReader, type Told } from '#server/git/port/git-reader.ts';
import { answerTo } from './asked-by.ts';
import { fairGit } from './fair-git.ts';

/** Git that answers once it is told to, in the order in which it was asked. */
function slowGit() {
  const asked: string[] = [];
  const open: (() => void)[] = [];
  const find = (digits: string): Promise<Told<readonly never[]>> => {
    asked.push(digits);
    return new Promise((resolve) => void open.push(() => resolve({ type: 'told', asOf: 0, answer: [] })));
  };
  const git: GitReader = { ...noGit('Nothing here.'), find };
  return { git, asked, answer: () => open.shift()?.() };
}

it('asks for one who comes late at once, however much another has asked before', async () => {
  const { git, asked, answer } = slowGit();
  const fair = fairGit(git, () => 0);
  const greedy = Array.from({ length: 1_000 }, (_, n) => answerTo('a', () => fair.find(`a${n}`)));
  expect(asked).toHaveLength(6);
  const other = answerTo('b', () => fair.find('b'));
  expect(asked.at(-1)).toBe('b');
  answer();
  await turn();
  expect(asked.slice(6)).toEqual(['b', 'a6']);
  for (let n = 0; n < 1_001; n += 1) {
    answer();
    await turn();
  }
  expect([(await other).type, (await Promise.all(greedy)).length, asked.length]).toEqual(['told', 1_000, 1_001]);
});

it('tells nothing to who has thousands waiting, or has waited for longer than an answer may take', async () => {
  const { git, asked, answer } = slowGit();
  let now = 0;
  const fair = fairGit(git, () => now);
  const all = Array.from({ length: 2_007 }, () => answerTo('a', () => fair.find('a')));
  expect(await all.at(-1)).toMatchObject({ type: 'not-told', reason: expect.stringContaining('Too much') });
  now = 10_001;
  for (let n = 0; n < 6; n += 1) answer();
  const told = await Promise.all(all);
  expect(asked).toHaveLength(6);
  expect(told.filter(({ type }) => type === 'told')).toHaveLength(6);
  const later = answerTo('a', () => fair.find('later'));
  expect(asked.at(-1)).toBe('later');
  answer();
  expect((await later).type).toBe('told');
});
