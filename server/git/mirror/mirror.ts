import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foreignWord } from '#lib/foreign-words.ts';
import { formatCount } from '#lib/format/number.ts';
import type { GitRan } from '../program/run-git.ts';
import { runGit, runGitWith } from '../program/run-git.ts';
import { failureText, isUnreached } from './failure-text.ts';
import type { FetchPlan, FetchWay } from './fetch-plan.ts';
import { excessOf, type MirrorBounds, type Outgrown, sizeOf, watchSize } from './mirror-size.ts';

/** Bounds of a fetch, and the branches that are kept first where there are very many. */
export interface FetchOrder extends MirrorBounds {
  /** ms */
  readonly longest: number;
  readonly wanted: readonly string[];
}

/** Result of a fetch: the tips of all branches, by name. */
export type Fetched =
  | {
      readonly type: 'fetched';
      readonly defaultBranch: string | null;
      readonly branches: ReadonlyMap<string, string>;
      readonly bytes: number;
    }
  /** `reason` is a clause; `isBroken`: the mirror on disk is, and has to be made anew. */
  | { readonly type: 'failed'; readonly reason: string; readonly isBroken: boolean };

/** Blobs beyond this (bytes) are left where they are, where the server can leave them out: nobody reads a manifest of that size. */
const largestBlob = 1_048_576;
const mostRefsBytes = 16 * 1024 * 1024;
const mostBranches = 5_000;
const packsBeforeRepack = 40;
const refFolders = ['refs/heads', 'refs/tags'] as const;
/** One object at a time is unpacked, and a large file, which need not be as a whole, on its way to the disk. */
const unpacking = ['-c', 'pack.threads=1', '-c', 'core.bigFileThreshold=16m'];
/** Until a host has said which branches it has (ms), by all of its addresses. */
const longestReach = 60_000;

const settings = `[core]
\trepositoryformatversion = 1
\tbare = true
\tlogAllRefUpdates = false
[extensions]
\tpartialClone = origin
[remote "origin"]
\tpromisor = true
\tpartialclonefilter = blob:limit=${largestBlob}
[gc]
\tauto = 0
[maintenance]
\tauto = false
[fetch]
\trecurseSubmodules = false
\twriteCommitGraph = false
[transfer]
\tfsckObjects = false
\thideRefs = refs/pull
`;

/** Makes the folder of a mirror, empty, where there is none. Rejects where the disk does not let us. */
export async function makeMirror(directory: string): Promise<void> {
  if ((await stat(join(directory, 'HEAD')).catch(() => null)) !== null) return;
  await rm(directory, { recursive: true, force: true });
  for (const folder of ['objects/pack', 'objects/info', ...refFolders])
    await mkdir(join(directory, folder), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, 'config'), settings);
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/main\n');
}

/** Sets a broken mirror aside at `at` (ms), in place of one that was set aside before. */
export async function setAside(directory: string, at: number): Promise<void> {
  const aside = `${directory}.broken`;
  await rm(aside, { recursive: true, force: true });
  try {
    await rename(directory, aside);
    await utimes(aside, at / 1_000, at / 1_000);
  } catch {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Brings all branches and tags, and nothing else of the repository. Never rejects. */
export async function fetchMirror(
  directory: string,
  plan: Extract<FetchPlan, { type: 'plan' }>,
  { longest, wanted, ...most }: FetchOrder,
  ended: AbortSignal,
): Promise<Fetched> {
  try {
    await makeMirror(directory);
  } catch (error) {
    return { type: 'failed', reason: diskText(error), isBroken: false };
  }
  await removeLeft(directory);
  // Each further fetch would add to it before it is stopped.
  const excess = await excessOf(directory, most);
  if (excess !== null) return outgrew(directory, excess, most);
  const remote = [...unpacking, '-c', `remote.origin.url=${plan.url}`];
  const { listed, env } = await reach(directory, [...remote, 'ls-remote', '--symref', 'origin', 'HEAD'], plan, {
    longest: Math.min(longest, longestReach),
    signal: ended,
  });
  if (listed.type === 'failed') return failure(directory, listed, ended);
  const watch = watchSize(directory, most, ended);
  const args = [
    'fetch',
    '--quiet',
    '--prune',
    '--no-tags',
    '--no-auto-maintenance',
    '--no-write-fetch-head',
    '--force',
  ];
  const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
  const fetched = await runGitWith(
    env,
    directory,
    [
      ...remote,
      ...args,
      '--no-recurse-submodules',
      `--filter=blob:limit=${largestBlob}`,
      '--end-of-options',
      'origin',
      ...refs,
    ],
    { longest, mostBytes: 1_048_576, signal: watch.signal },
  );
  watch.stop();
  await removeLeft(directory);
  const outgrown = watch.outgrown() ?? (await excessOf(directory, most));
  if (outgrown !== null) return outgrew(directory, outgrown, most);
  if (fetched.type === 'failed') return failure(directory, fetched, ended);
  const tips = await tipsOf(directory, headOf(listed.output.toString('utf8')), wanted, ended);
  if (tips.type === 'failed') return tips;
  return { ...tips, type: 'fetched', bytes: await packed(directory, most, ended) };
}

/** Asks the host by one way after the other until one reaches it; they share the time that there is. Gives the way that did. */
async function reach(
  directory: string,
  args: readonly string[],
  { ways }: Extract<FetchPlan, { type: 'plan' }>,
  { longest, signal }: { readonly longest: number; readonly signal: AbortSignal },
): Promise<{ readonly listed: GitRan; readonly env: FetchWay }> {
  const bounds = { longest: longest / ways.length, mostBytes: mostRefsBytes, signal };
  let [env] = ways;
  let listed = await runGitWith(env, directory, args, bounds);
  for (const way of ways.slice(1)) {
    if (listed.type === 'ok' || !isUnreached(listed)) break;
    env = way;
    listed = await runGitWith(env, directory, args, bounds);
  }
  return { listed, env };
}

/** Tips as they stand on disk; of very many those of the default branch and of `wanted` first. */
async function tipsOf(
  directory: string,
  head: string | null,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<TipsRead> {
  const named = [...(head === null ? [] : [head]), ...wanted].filter((name) => plainName.test(name));
  const first = named.length === 0 ? [] : await readTips(directory, named, signal);
  const others = 'type' in first ? first : await readTips(directory, [''], signal);
  if ('type' in first) return failure(directory, first, signal);
  if ('type' in others) return failure(directory, others, signal);
  const branches = new Map([...first, ...others].slice(0, mostBranches));
  return { type: 'tips', branches, defaultBranch: head !== null && branches.has(head) ? head : null };
}

type Failed = Extract<Fetched, { type: 'failed' }>;
type TipsRead =
  | Failed
  | ({ readonly type: 'tips' } & Pick<Extract<Fetched, { type: 'fetched' }>, 'defaultBranch' | 'branches'>);

/** Read by git as nothing but the name of a branch. */
const plainName = /^[^\s*?[\\]+$/;

/** Tips of the branches of these names, or beneath them. */
async function readTips(
  directory: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly [string, string])[] | Extract<GitRan, { type: 'failed' }>> {
  const format = '--format=%(objectname) %(refname:lstrip=2)';
  const patterns = names.map((name) => `refs/heads/${name}`);
  const read = await runGit(directory, ['for-each-ref', format, `--count=${mostBranches}`, ...patterns], {
    longest: 60_000,
    mostBytes: mostRefsBytes,
    signal,
  });
  if (read.type === 'failed') return read;
  const lines = read.output.toString('utf8').split('\n');
  return lines.flatMap((line): [string, string][] => {
    const [, sha, name] = /^([0-9a-f]{40}|[0-9a-f]{64}) (.+)$/.exec(line) ?? [];
    return sha === undefined || name === undefined ? [] : [[foreignWord(name), sha]];
  });
}

/** Bytes of a mirror, of which many packs are made one. */
async function packed(directory: string, most: MirrorBounds, signal: AbortSignal): Promise<number> {
  const { bytes, packs } = await sizeOf(directory, most);
  if (packs > packsBeforeRepack)
    await runGit(directory, [...unpacking, 'repack', '-a', '-d', '-k', '--quiet'], {
      longest: 300_000,
      mostBytes: 65_536,
      signal,
    });
  return bytes;
}

/** The branch that HEAD of the server names; null where it names none. */
function headOf(listed: string): string | null {
  const name = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1];
  return name === undefined ? null : foreignWord(name);
}

/** A fetch that failed. Our mirror is broken by our own look at it alone: the words of a failure may be the host's. */
async function failure(
  directory: string,
  failed: Extract<GitRan, { type: 'failed' }>,
  signal: AbortSignal,
): Promise<Failed> {
  const walked = await runGit(directory, ['rev-list', '--all', '--count'], {
    longest: 60_000,
    mostBytes: 65_536,
    signal,
  });
  const isBroken = walked.type === 'failed' && walked.why === 'exit';
  return { type: 'failed', reason: failureText(failed), isBroken };
}

/** A mirror that has outgrown its bounds. Names are taken away: they cost nothing to send, and a block of the disk each. */
async function outgrew(directory: string, what: Outgrown, { mostBytes, mostRefs }: MirrorBounds): Promise<Fetched> {
  switch (what) {
    case 'bytes':
      return { type: 'failed', reason: `it is larger than ${sizeText(mostBytes)}`, isBroken: false };
    case 'objects': {
      const reason = `its host sends more than ${formatCount(mostRefs)} objects one by one`;
      return { type: 'failed', reason, isBroken: false };
    }
    case 'refs': {
      await removeRefs(directory);
      const reason = `it has more than ${formatCount(mostRefs)} branches and tags`;
      return { type: 'failed', reason, isBroken: false };
    }
  }
}

async function removeRefs(directory: string): Promise<void> {
  const refs = join(directory, 'refs');
  await Promise.all([refs, join(directory, 'packed-refs')].map((path) => rm(path, { recursive: true, force: true })));
  await Promise.all(refFolders.map((folder) => mkdir(join(directory, folder), { recursive: true, mode: 0o700 })));
}

/** Removes what fetches that were ended have left: packs that are not whole, locks. */
async function removeLeft(directory: string): Promise<void> {
  const folder = join(directory, 'objects', 'pack');
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => /^(?:tmp_|\.tmp-)/.test(name)).map((name) => join(folder, name));
  const locks = ['packed-refs.lock', 'shallow.lock', 'config.lock'].map((name) => join(directory, name));
  await Promise.all([...left, ...locks].map((path) => rm(path, { force: true }).catch(() => undefined)));
}

function diskText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  return code === 'EROFS' || code === 'EACCES'
    ? 'its folder may not be written'
    : `its folder cannot be made (${code})`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024 ** 2) return `${bytes} bytes`;
  return bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
