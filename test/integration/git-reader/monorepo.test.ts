import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runGit } from '#server/git/program/run-git.ts';
import { openRepository, type RepositoryReader } from '#server/git/reader/open-repository.ts';
import {
  generateMonorepo,
  growMonorepo,
  monorepoPaths,
  smallSize,
} from '#server/git/reader/testing/generated-monorepo.ts';
import { answerOf } from '#server/git/reader/testing/opened.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-monorepo-'));
const directory = join(folder, 'control.git');
const main = { type: 'branch', name: 'main' } as const;
const paths = monorepoPaths(smallSize);
let reader: RepositoryReader;

function git(...args: readonly string[]): string {
  return execFileSync('git', ['--git-dir', directory, ...args], { maxBuffer: 256 * 1024 * 1024 })
    .toString('utf8')
    .trim();
}

function refresh(): Promise<boolean> {
  return reader.refresh({ defaultBranch: 'main', branches: new Map([['main', git('rev-parse', 'main')]]) });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

beforeAll(async () => {
  await generateMonorepo(directory, smallSize);
  reader = openRepository(directory, { runGit, host: null });
  await refresh();
}, 120_000);
afterAll(() => {
  reader.close();
  rmSync(folder, { recursive: true, force: true });
});

it('counts for every path what git itself counts for its files', async () => {
  const from = git('rev-parse', 'main~1500');
  const found = answerOf(await reader.between(paths.map((path) => ({ path, from, to: main }))));
  expect(found).toHaveLength(500);
  for (const index of [0, 7, 123, 250, 499]) {
    const path = paths[index] ?? '';
    const base = `apps/${path.slice(path.lastIndexOf('/') + 1)}/base`;
    const limits = ['--', path, base, 'components/common'];
    const args = ['rev-list', '--first-parent', '--diff-merges=first-parent', '--full-history', `${from}..main`];
    const shas = git(...args, ...limits).split('\n');
    expect(found[index]).toMatchObject({
      type: 'known',
      commits: 1_500,
      touchingCount: shas.length,
      oldest: { sha: shas.at(-1) },
    });
    const between = found[index];
    expect(between?.type === 'known' && between.touching.length > 0).toBe(true);
  }
});

it('answers for every path after a push in a fraction of the time that reading it all takes', async () => {
  const from = git('rev-parse', 'main~200');
  const ranges = paths.map((path) => ({ path, from, to: main }));
  await reader.between(ranges);
  const everything = await timed(() =>
    Promise.resolve(git('log', '--first-parent', '--diff-merges=first-parent', '--raw', '-r', 'main')),
  );
  const times: number[] = [];
  for (let push = 0; push < 3; push += 1) {
    await growMonorepo(directory, smallSize, 5);
    const tip = git('rev-parse', 'main');
    times.push(
      await timed(async () => {
        await reader.refresh({ defaultBranch: 'main', branches: new Map([['main', tip]]) });
        expect(answerOf(await reader.between(ranges))[0]).toMatchObject({ type: 'known', to: tip });
      }),
    );
  }
  expect(Math.min(...times)).toBeLessThan(everything);
}, 60_000);
