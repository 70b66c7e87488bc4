import { expect, it } from 'vitest';
import { noGit, type GitReader, type Told } from '#server/git/port/git-reader.ts';
import type { RepositoryState } from '#server/git/port/shapes.ts';
import { fakeGit } from '../testing/fake-git.ts';
import { answerTo } from '../turns/asked-by.ts';
import { fairGit } from '../turns/fair-git.ts';
import { sharedStates } from './shared-states.ts';

type States = Told<readonly RepositoryState[]>;

function asked() {
  let now = 1_000;
  const waiting: ((states: States) => void)[] = [];
  const git: GitReader = {
    ...noGit('none'),
    repositories: () => new Promise((resolve) => void waiting.push(resolve)),
  };
  return { git: sharedStates(git, () => now), waiting, set: (at: number) => (now = at) };
}

const told: States = { type: 'told', asOf: 1_000, answer: [] };

it('asks once for all who ask within a second, and for all who wait', async () => {
  const { git, waiting, set } = asked();
  const first = git.repositories();
  set(9_000);
  const second = git.repositories();
  expect(waiting).toHaveLength(1);
  waiting[0]?.(told);
  expect(await Promise.all([first, second])).toEqual([told, told]);
  // It is as old as the question: nine seconds.
  const third = git.repositories();
  expect(waiting).toHaveLength(2);
  waiting[1]?.(told);
  await third;
  set(9_999);
  void git.repositories();
  expect(waiting).toHaveLength(2);
  set(10_000);
  void git.repositories();
  expect(waiting).toHaveLength(3);
});

it('asks again where the clock was set back', async () => {
  const { git, waiting, set } = asked();
  const first = git.repositories();
  waiting[0]?.(told);
  await first;
  set(500);
  void git.repositories();
  expect(waiting).toHaveLength(2);
});

it('are asked for nobody: one who has thousands of questions waiting keeps them from no other', async () => {
  const made = fakeGit({ url: 'https://github.com/acme/control-repo', commits: [{ digit: 'a', files: [] }] });
  const slow = { ...made, find: () => new Promise<never>(() => {}) };
  const git = sharedStates(
    fairGit(slow, () => 0),
    () => 0,
  );
  const told = answerTo('greedy', () => {
    for (let n = 0; n < 2_500; n += 1) void git.find(`${n}`);
    return git.repositories();
  });
  expect((await told).type).toBe('told');
  expect((await answerTo('other', () => git.repositories())).type).toBe('told');
});
