import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GitHost } from '#lib/git-host/host.ts';
import { madeRepository, type MadeRepository } from '../testing/made-repository.ts';
import { answerOf, opened } from '../testing/opened.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

const main = { type: 'branch', name: 'main' } as const;

it.each<[GitHost | null, readonly string[]]>([
  ['github', ['@github']],
  ['gitlab', ['@root']],
  ['gitea', []],
  ['bitbucket-cloud', ['@bitbucket']],
  ['azure-devops', []],
  [null, []],
])('reads the file of %s', async (host, expected) => {
  made.commits({
    on: 'main',
    files: {
      '.github/CODEOWNERS': '* @github',
      CODEOWNERS: '* @root',
      '.bitbucket/CODEOWNERS': '* @bitbucket',
      'a/x': '1',
    },
  });
  expect(answerOf(await (await opened(made, host)).owners(main, ['a/x']))).toEqual([expected]);
});

it('tells who owns a directory: whoever owns a file in it that no pattern names', async () => {
  const file = '/apps/ @apps\n/apps/web/ @web\n/apps/*.md @words\n';
  const [old = ''] = made.commits(
    { on: 'main', files: { CODEOWNERS: '* @old', 'apps/web/a.yaml': '1' } },
    { on: 'main', files: { CODEOWNERS: file } },
  );
  const reader = await opened(made, 'github');
  const asked = ['apps/web', 'apps', '', 'apps/web/a.yaml', '../x', 'apps/new/not-there.yaml'];
  expect(answerOf(await reader.owners(main, asked))).toEqual([['@web'], ['@apps'], [], ['@web'], [], ['@apps']]);
  expect(answerOf(await reader.owners({ type: 'commit', sha: old }, ['apps/web']))).toEqual([['@old']]);
});

it.each([
  ['too large', 'x'.repeat(1_100_000)],
  ['a link', { link: 'x' }],
  ['a directory', null],
])('names nobody where the file is %s', async (_, content) => {
  made.commits({ on: 'main', files: content === null ? { 'CODEOWNERS/x': '* @a' } : { CODEOWNERS: content } });
  expect(answerOf(await (await opened(made, 'github')).owners(main, ['x']))).toEqual([[]]);
});

it.each<[GitHost, string]>([
  ['github', '*a'.repeat(500)],
  ['gitlab', '*a'.repeat(500)],
  ['gitea', '.*'.repeat(500)],
])(
  'tells nothing of %s where its patterns would cost minutes, and lets others have their turn',
  async (host, pattern) => {
    const file = `${pattern}z @a\n`.repeat(990);
    const long = 'a'.repeat(4_000);
    made.commits({ on: 'main', files: { CODEOWNERS: file } });
    const reader = await opened(made, host);
    const began = process.cpuUsage().user;
    expect(
      await reader.owners(
        main,
        Array.from({ length: 20 }, () => long),
      ),
    ).toMatchObject({ type: 'not-told' });
    expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(5);
    // The same file costs a short path little.
    expect(answerOf(await reader.owners(main, ['b']))).toEqual([[]]);
  },
);
