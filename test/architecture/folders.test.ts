import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const most = 25;

it('no flat folder holds more files than a reader can take in', () => {
  const files = execFileSync('git', ['ls-files', '--', ':!test/fixtures'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const counts = new Map<string, number>();
  for (const file of files.split('\n')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect(counts.size).toBeGreaterThan(100);
  expect([...counts].filter(([folder, count]) => folder !== '.' && count > most)).toEqual([]);
});
