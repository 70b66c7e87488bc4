import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runGit } from '#server/git/program/run-git.ts';
import { openRepository, type RepositoryReader } from '#server/git/reader/open-repository.ts';
import {
  generateMonorepo,
  growMonorepo,
  monorepoPaths,
  wholeSize,
} from '#server/git/reader/testing/generated-monorepo.ts';
import type { Figure } from '../figure.ts';

/** Pushes after the first one, and the commits of each. */
const pushes = 5;
const pushed = 10;
/** Commits of the range that each path is asked for. */
const behind = 200;

/** Measurements over a repository of 50,000 commits and 20,000 files; times in ms. */
export interface GitResult {
  /** All that git itself takes to list the commits. */
  readonly listed: number;
  readonly indexed: number;
  /** From the end of a fetch until every path has its answer: the first time, and the median of those after it. */
  readonly first: number;
  readonly again: number;
  /** Bytes that the process has grown by. */
  readonly memory: number;
}

/** Generates the repository, and asks for 5,000 paths after each of some pushes. */
export async function measureGit(options: {
  readonly directory: string;
  readonly say: (line: string) => void;
}): Promise<GitResult> {
  const { say } = options;
  const directory = join(options.directory, 'monorepo.git');
  say(`Generating a repository of ${wholeSize.commits.toLocaleString('en')} commits ...`);
  await generateMonorepo(directory, wholeSize);
  const before = process.memoryUsage().rss;
  const reader = openRepository(directory, { runGit, host: null });
  const listed = await timed(() => Promise.resolve(git(directory, 'rev-list', '--first-parent', 'main')));
  const indexed = await timed(() => refresh(reader, directory));
  const times: number[] = [];
  for (let push = 0; push <= pushes; push += 1) {
    await growMonorepo(directory, wholeSize, pushed);
    const from = git(directory, 'rev-parse', `main~${behind}`);
    const to = { type: 'branch', name: 'main' } as const;
    const ranges = monorepoPaths(wholeSize).map((path) => ({ path, from, to }));
    times.push(
      await timed(async () => {
        await refresh(reader, directory);
        await reader.between(ranges);
      }),
    );
  }
  const memory = process.memoryUsage().rss - before;
  reader.close();
  const [first = Number.NaN, ...rest] = times;
  const again = rest.toSorted((a, b) => a - b)[Math.floor(rest.length / 2)] ?? Number.NaN;
  return { listed, indexed, first, again, memory };
}

/** Figures of it. The bar is that of 5,000 objects within 2 s of a fetch. */
export function gitFigures({ listed, indexed, first, again, memory }: GitResult): readonly Figure[] {
  const area = 'A repository of 50,000 commits and 20,000 files';
  return [
    { area, name: 'git rev-list', value: listed, unit: 'ms', bar: null },
    { area, name: 'first index', value: indexed, unit: 'ms', bar: null },
    { area, name: 'fetch to 5,000 paths, first', value: first, unit: 'ms', bar: { most: 2_000 } },
    { area, name: 'fetch to 5,000 paths, again', value: again, unit: 'ms', bar: { most: 2_000 } },
    { area, name: 'memory', value: memory, unit: 'bytes', bar: null },
  ];
}

async function refresh(reader: RepositoryReader, directory: string): Promise<void> {
  const branches = new Map([['main', git(directory, 'rev-parse', 'main')]]);
  if (!(await reader.refresh({ defaultBranch: 'main', branches }))) throw new Error('The repository cannot be read');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', ['--git-dir', directory, ...args], { maxBuffer: 64 * 1024 * 1024 })
    .toString('utf8')
    .trim();
}
