import { LRUCache } from 'lru-cache';
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
