import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createControlRepository, type Draft } from './control-repository.ts';

function draft(subject: string, time: number): Draft {
  return { subject, time, author: { name: 'Ada', email: 'ada@example.com' }, files: new Map([['a/file', subject]]) };
}

it('begins anew in a directory that holds the repository of an earlier run', () => {
  const directory = mkdtempSync(join(tmpdir(), 'control-repository-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  createControlRepository(directory, [draft('First', 1_000), draft('Second', 2_000)]);
  const repository = createControlRepository(directory, [draft('Other', 3_000)]);
  expect(repository.commits().map(({ subject }) => subject)).toEqual(['Other']);
  expect(repository.commit(draft('Next', 4_000)).subject).toBe('Next');
});
