import { rename, utimes, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseForeign } from '#lib/foreign.ts';
import { readBoundedFile } from '#server/runtime/bounded-file.ts';
import { RepositoryState } from '../port/shapes.ts';

/** Facts of one repository that outlive a restart. Times in ms since the epoch. */
const Kept = RepositoryState.pick({
  fetchedAt: true,
  defaultBranch: true,
  branches: true,
  bytes: true,
  rewritten: true,
  gaps: true,
}).extend({ key: z.string(), fetchedAt: z.number().nullable() });
export type RepositoryHistory = z.infer<typeof Kept>;

/** Bytes: 5,000 branches take some 2 MB. */
const largest = 16 * 1024 * 1024;
const mostRewritten = 20;
const mostGaps = 50;

/** Nothing is known yet. */
export function noHistory(key: string): RepositoryHistory {
  return { key, fetchedAt: null, defaultBranch: null, branches: [], bytes: 0, rewritten: [], gaps: [] };
}

/** Reads what was kept of a repository; nothing where there is none, or what is there cannot be read: it is only what was seen before. */
export async function readHistory(path: string, key: string): Promise<RepositoryHistory> {
  const read = await readBoundedFile(path, { most: largest });
  const parsed = Kept.safeParse(read.type === 'ok' ? parseForeign(read.text) : null);
  return parsed.success && parsed.data.key === key ? parsed.data : noHistory(key);
}

/** Keeps it as of `at` (ms): the file is whole, or the one before stays. Rejects where the disk does not let us. */
export async function writeHistory(path: string, history: RepositoryHistory, at: number): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(history), { mode: 0o600 });
  await utimes(`${path}.part`, at / 1_000, at / 1_000);
  await rename(`${path}.part`, path);
}

/** A time in which nothing is fetched begins, or goes on. */
export function openGap(history: RepositoryHistory, from: number, reason: string): RepositoryHistory {
  const [last, ...before] = history.gaps;
  if (last !== undefined && last.to === null) return { ...history, gaps: [{ ...last, reason }, ...before] };
  return { ...history, gaps: [{ from, to: null, reason }, ...history.gaps].slice(0, mostGaps) };
}

/** A fetch that began at `startedAt` has brought everything: a gap that was open ends then. */
export function closeGap(history: RepositoryHistory, startedAt: number): RepositoryHistory {
  const [last, ...before] = history.gaps;
  if (last === undefined || last.to !== null) return history;
  return { ...history, gaps: [{ ...last, to: Math.max(last.from, startedAt) }, ...before] };
}

/** Branches as they are now, each with since when it is seen there. */
export function movedTo(
  history: RepositoryHistory,
  tips: readonly (readonly [name: string, sha: string])[],
  at: number,
): RepositoryHistory['branches'] {
  const before = new Map(history.branches.map((branch) => [branch.name, branch]));
  return tips.map(([name, sha]) => {
    const known = before.get(name);
    return known?.sha === sha ? known : { name, sha, movedAt: at };
  });
}

/** A branch was moved to a commit that does not hold the one before. */
export function rewrittenAt(
  history: RepositoryHistory,
  rewritten: RepositoryHistory['rewritten'],
): RepositoryHistory['rewritten'] {
  return [...rewritten, ...history.rewritten].slice(0, mostRewritten);
}
