import { expect, it } from 'vitest';
import { madeRepository } from '#server/git/reader/testing/made-repository.ts';
import { answerOf, opened } from '#server/git/reader/testing/opened.ts';

it('gives up on a tree that names itself ten times on each of ten levels', async () => {
  const made = madeRepository();
  const main = { type: 'branch', name: 'main' } as const;
  let tree = made.git(['mktree'], `100644 blob ${made.git(['hash-object', '-w', '--stdin'], 'x')}\tf\n`);
  for (let level = 0; level < 10; level += 1) {
    tree = made.git(['mktree'], Array.from({ length: 10 }, (_, n) => `040000 tree ${tree}\td${n}\n`).join(''));
  }
  const [from = ''] = made.commits({ on: 'main', files: { 'a/f1': '1' } });
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const bomb = made.git([...who, 'commit-tree', '-m', 'Bomb', '-p', from, tree]);
  made.git(['update-ref', 'refs/heads/main', bomb]);
  const reader = await opened(made);
  const [between] = answerOf(await reader.between([{ path: 'a', from, to: main }]));
  expect(between).toEqual({ type: 'unknown', why: 'too-many' });
  expect(await reader.compare({ at: main, path: '' }, { at: main, path: '' })).toMatchObject({ type: 'not-told' });
  // One that is small in it is told.
  expect(answerOf(await reader.commits([bomb]))[0]?.subject).toBe('Bomb');
  const before = { at: { type: 'commit', sha: from } as const, path: 'a' };
  expect(answerOf(await reader.compare(before, before)).counts.equal).toBe(1);
  made.remove();
});
