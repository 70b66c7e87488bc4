import { LRUCache } from 'lru-cache';
import type { FateName } from '#lib/domain/commit/fate.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';

/** Answers that are kept of one commit, by what was asked. What git did not know is not among them. */
export interface CommitMemory {
  /** By what is built from. */
  readonly touches: Map<string, boolean>;
  /** By commit. */
  readonly contained: Map<string, boolean>;
  /** By range: the newest later commit, null for none. */
  readonly later: Map<string, string | null>;
}

/** Answers of one reader that are kept, over all commits. */
const mostAnswers = 1_000_000;

const memories = new WeakMap<GitReader, LRUCache<string, CommitMemory>>();

/** Answers of git about one commit, which hold for ever: a commit does not change, nor what lies between two. To be given to `keepMemory` after more was learnt. */
export function memoryOf(git: GitReader, repository: string, sha: string): CommitMemory {
  const found = memories.get(git)?.get(`${repository} ${sha}`);
  return found ?? { touches: new Map(), contained: new Map(), later: new Map() };
}

/** Keeps what was learnt of a commit, as long as it is among what was asked for last. */
export function keepMemory(git: GitReader, repository: string, sha: string, memory: CommitMemory): void {
  let all = memories.get(git);
  if (all === undefined) memories.set(git, (all = new LRUCache({ maxSize: mostAnswers, sizeCalculation: sizeOf })));
  all.set(`${repository} ${sha}`, memory);
}

function sizeOf({ touches, contained, later }: CommitMemory): number {
  return 1 + touches.size + contained.size + later.size;
}

/** The worst state of a commit among the objects of one cluster; null where it concerns none of them. */
export interface WorstThere {
  readonly state: FateName | null;
  /** The fetch that it is as of; null where it is so whatever is fetched. */
  readonly asOf: string | null;
}

/** Worst states by the list of a cluster's objects, which is another one once something changes there. */
export type WorstByCluster = WeakMap<readonly CurrentObject[], WorstThere>;

/** Commits of which these are kept: a few pages of a list. */
const mostCommits = 300;

const worst = new WeakMap<GitReader, LRUCache<string, WorstByCluster>>();

/** Worst states of one commit that are kept, to be added to. */
export function worstOf(git: GitReader, repository: string, sha: string): WorstByCluster {
  let all = worst.get(git);
  if (all === undefined) worst.set(git, (all = new LRUCache({ max: mostCommits })));
  const key = `${repository} ${sha}`;
  const known = all.get(key) ?? new WeakMap();
  all.set(key, known);
  return known;
}
