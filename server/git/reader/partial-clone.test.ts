import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { madeRepository } from './testing/made-repository.ts';
import { answerOf, opened } from './testing/opened.ts';

const settings = `[core]
\trepositoryformatversion = 1
\tbare = true
[extensions]
\tpartialClone = origin
[remote "origin"]
\tpromisor = true
\tpartialclonefilter = blob:limit=1m
`;

it('reads a mirror from which large files were left out, and asks nobody for them', async () => {
  const from = madeRepository();
  from.git(['config', 'uploadpack.allowFilter', 'true']);
  const big = (letter: string): string => letter.repeat(1_100_000);
  const files = { 'a/x': '1', 'a/big': big('x'), 'b/big': big('y'), 'b/x': '2', 'b/kustomization.yaml': big('#') };
  const [old = ''] = from.commits({ on: 'main', files }, { on: 'main', files: { 'a/big': big('z') } });
  const mirror = madeRepository();
  writeFileSync(join(mirror.directory, 'config'), settings);
  mirror.git(['fetch', '--quiet', '--filter=blob:limit=1m', `file://${from.directory}`, '+refs/heads/*:refs/heads/*']);
  const reader = await opened(mirror, 'github');
  const main = { type: 'branch', name: 'main' } as const;
  const found = answerOf(await reader.compare({ at: main, path: 'a' }, { at: main, path: 'b' }));
  expect(found.files.map(({ path, status, content }) => `${path} ${status} ${content}`)).toEqual([
    'big different too-large',
    'kustomization.yaml right-only too-large',
    'x different text',
  ]);
  const diff = await reader.diff({ at: main, path: 'a/big' }, { at: main, path: 'b/big' });
  expect(answerOf(diff)).toEqual({ content: 'too-large', hunks: [], cut: false });
  expect(answerOf(await reader.closure({ at: main, path: 'b' }))).toEqual({
    directories: ['b'],
    files: [],
    missing: ['b/kustomization.yaml'],
  });
  const [between] = answerOf(await reader.between([{ path: 'a', from: old, to: main }]));
  expect(between).toMatchObject({ type: 'known', touching: [{ files: ['a/big'] }] });
  expect(answerOf(await reader.commits(['1'.repeat(40), old])).map((commit) => commit?.sha)).toEqual([undefined, old]);
  from.remove();
  mirror.remove();
});
