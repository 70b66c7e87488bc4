import { join } from 'node:path';
import type { GitHost } from '#lib/git-host/host.ts';
import type { Log } from '#server/runtime/log.ts';
import {
  closeGap,
  movedTo,
  openGap,
  readHistory,
  type RepositoryHistory,
  rewrittenAt,
  writeHistory,
} from '../history/repository-history.ts';
import type { RepositoryState } from '../port/shapes.ts';
import { runGit } from '../program/run-git.ts';
import { createMemoryRoom, type MemoryRoom } from '../reader/index/memory-room.ts';
import { openRepository, type RepositoryReader } from '../reader/open-repository.ts';
import type { FetchPlan } from './fetch-plan.ts';
import { type Fetched, fetchMirror, setAside } from './mirror.ts';
import { mirrorId } from './mirror-id.ts';
import { createStanding, type Standing } from './standing.ts';

/** One repository that is to be mirrored. */
export interface KeptRepository {
  /** `repositoryKey` of its address. */
  readonly key: string;
  readonly url: string;
  readonly origin: RepositoryState['origin'];
  readonly host: GitHost | null;
  /** The way to it, made anew for each fetch. */
  readonly plan: () => Promise<FetchPlan>;
}

export interface KeeperDeps {
  /** The folder of all mirrors. */
  readonly folder: string;
  /** Bytes of one mirror on disk. */
  readonly mostBytes: number;
  /** Between two fetches (ms). */
  readonly every: number;
  readonly now: () => number;
  readonly log: Log;
  readonly ended: AbortSignal;
  /** Memory that it shares with all others; its own where nothing is said. */
  readonly room?: MemoryRoom;
  /** Of one fetch (ms); 10 min where nothing is said. */
  readonly longestFetch?: number;
  /** Branches and tags of a mirror, at most. */
  readonly mostRefs?: number;
}

/** The mirror of one repository: fetches it, remembers what happened to it, and answers. */
export interface Keeper {
  readonly repository: KeptRepository;
  /** null while nothing was ever read. */
  reader(): RepositoryReader | null;
  state(): RepositoryState;
  /** Branches that are followed beside the default one. */
  follow(branches: readonly string[]): void;
  /** Fetches once, and gives when it is to be fetched again (ms since the epoch). Never rejects. */
  fetch(): Promise<number>;
  close(): void;
}

/** A first fetch may bring years. */
const usualLongest = 600_000;
/** The largest of the public hosts have some 50,000. */
const usualRefs = 100_000;
const mostFollowed = 20;
/** A mirror is made anew at most so often (ms): a host that always sends something broken must not keep us busy. */
const anewEvery = 3_600_000;

/** Opens what is kept of a repository in a folder of its own. */
export async function openKeeper(repository: KeptRepository, deps: KeeperDeps): Promise<Keeper> {
  const { folder, every, now, log } = deps;
  const { key } = repository;
  const id = mirrorId(key);
  const historyPath = join(folder, `${id}.json`);
  const standing = createStanding(repository, await keptHistory(historyPath, key, deps), log);
  const copy = openCopy(join(folder, `${id}.git`), repository, deps);
  const known = standing.history();
  if (known.fetchedAt !== null && !(await copy.read(known)))
    standing.failed('failing', 'Its mirror cannot be read.', now());

  return {
    repository,
    reader: copy.reader,
    state() {
      const state = standing.state();
      const reader = copy.reader();
      return { ...state, reason: state.reason ?? reader?.withheld() ?? reader?.leftOut() ?? null };
    },
    follow: (branches) => copy.follow(branches, standing.history()),
    async fetch() {
      const startedAt = now();
      standing.tried(startedAt);
      await fetchInto(copy, standing, repository, deps, startedAt);
      await writeHistory(historyPath, standing.history(), now()).catch((error: unknown) =>
        log.warn({ repository: key, err: error }, 'what is known of a repository cannot be kept'),
      );
      return now() + standing.pause(every);
    },
    close: copy.close,
  };
}

/** The history that was kept, with the time that passed since while this process did not run. */
async function keptHistory(path: string, key: string, { every, now }: KeeperDeps): Promise<RepositoryHistory> {
  const kept = await readHistory(path, key);
  if (kept.fetchedAt === null || now() - kept.fetchedAt <= 3 * every) return kept;
  return openGap(kept, kept.fetchedAt, 'Plumbline did not run.');
}

/** The mirror on disk, and what reads it. */
interface Copy {
  readonly directory: string;
  /** null while nothing can be read. */
  reader(): RepositoryReader | null;
  /** Reads the tips of a history; false where they cannot be read. */
  read(history: RepositoryHistory): Promise<boolean>;
  follow(branches: readonly string[], history: RepositoryHistory): void;
  followed(): readonly string[];
  /** Tips of the branches that are followed. */
  tips(history: RepositoryHistory): ReadonlyMap<string, string>;
  /** Sets it aside where it may be made anew again; false where that was done a short while ago. */
  anew(): Promise<boolean>;
  close(): void;
}

function openCopy(
  directory: string,
  { key, host, origin }: KeptRepository,
  { now, log, room = createMemoryRoom() }: KeeperDeps,
): Copy {
  const deps = { runGit, host, room, isFound: origin === 'found' };
  let reader = openRepository(directory, deps);
  let isRead = false;
  let followed: readonly string[] = [];
  let madeAnewAt = Number.NEGATIVE_INFINITY;

  function tips({ defaultBranch, branches }: RepositoryHistory): ReadonlyMap<string, string> {
    const names = new Set([...(defaultBranch === null ? [] : [defaultBranch]), ...followed]);
    return new Map(branches.filter(({ name }) => names.has(name)).map(({ name, sha }) => [name, sha]));
  }

  async function read(history: RepositoryHistory): Promise<boolean> {
    isRead = await reader.refresh({ defaultBranch: history.defaultBranch, branches: tips(history) });
    return isRead;
  }

  return {
    directory,
    reader: () => (isRead ? reader : null),
    read,
    tips,
    follow(branches, history) {
      const wanted = [...new Set(branches)].slice(0, mostFollowed);
      if (wanted.join('\n') === followed.join('\n')) return;
      followed = wanted;
      if (isRead) void read(history);
    },
    followed: () => followed,
    async anew() {
      if (now() - madeAnewAt <= anewEvery) return false;
      madeAnewAt = now();
      reader.close();
      await setAside(directory, now());
      reader = openRepository(directory, deps);
      isRead = false;
      log.warn({ repository: key }, 'a mirror is broken and is made anew');
      return true;
    },
    close: () => reader.close(),
  };
}

async function fetchInto(
  copy: Copy,
  standing: Standing,
  { plan }: KeptRepository,
  { mostBytes, mostRefs = usualRefs, now, ended, longestFetch = usualLongest }: KeeperDeps,
  startedAt: number,
): Promise<void> {
  const way = await plan();
  if (way.type === 'refused') return standing.failed('refused', way.reason, startedAt);
  const fetched = await fetchMirror(
    copy.directory,
    way,
    { longest: longestFetch, mostBytes, mostRefs, wanted: copy.followed() },
    ended,
  );
  if (ended.aborted) return;
  if (fetched.type === 'failed') {
    // What cannot be read either is broken, whatever git says of it.
    const isBroken = fetched.isBroken || (standing.history().fetchedAt !== null && copy.reader() === null);
    standing.failed('failing', fetched.reason, startedAt);
    if (isBroken && (await copy.anew())) standing.forget();
    return;
  }
  const next = await historyAfter(copy, standing.history(), fetched, startedAt, now());
  if (copy.reader() !== null || fetched.branches.size === 0) return standing.took(next);
  standing.failed('failing', 'what was fetched cannot be read', startedAt);
  if (await copy.anew()) standing.forget();
}

/** History of a repository with what a fetch brought, which is read for questions. */
async function historyAfter(
  copy: Copy,
  history: RepositoryHistory,
  { defaultBranch, branches, bytes }: Extract<Fetched, { type: 'fetched' }>,
  startedAt: number,
  at: number,
): Promise<RepositoryHistory> {
  const before = copy.tips(history);
  const order = [...branches].toSorted(([a], [b]) => Number(b === defaultBranch) - Number(a === defaultBranch));
  const next: RepositoryHistory = {
    ...closeGap(history, startedAt),
    fetchedAt: startedAt,
    defaultBranch,
    branches: movedTo(history, order, at),
    bytes,
  };
  await copy.read(next);
  const lost: RepositoryHistory['rewritten'] = [];
  for (const [branch, from] of before) {
    const to = branches.get(branch);
    if (to === undefined || to === from) continue;
    const held = await copy.reader()?.contain(from, [to]);
    if (held?.type === 'told' && held.answer[0] === false) lost.push({ branch, from, to, at });
  }
  return { ...next, rewritten: rewrittenAt(next, lost) };
}
