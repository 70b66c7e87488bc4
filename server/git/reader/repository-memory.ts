import { formatBytes, formatCount } from '#lib/format/number.ts';
import type { GitHost } from '#lib/git-host/host.ts';
import type { RunGit } from '../program/run-git.ts';
import { createClosureBook } from './closure/closure-book.ts';
import { createCommitBook } from './commit-book.ts';
import { createRuleBook } from './ignore/rule-book.ts';
import { createAncestry } from './index/ancestry.ts';
import { type CommitIndex, createCommitIndex, type IndexBounds, usualBounds } from './index/commit-index.ts';
import { createMemoryRoom, type MemoryRoom } from './index/memory-room.ts';
import { createObjectReader, Unreadable, wholeHash } from './objects.ts';
import type { Opened } from './opened.ts';
import { noTags, readTags, type Tags } from './tags.ts';

/** Whatever one repository is read with. */
export interface RepositoryDeps {
  readonly runGit: RunGit;
  /** Software that serves it, which says where owners are written; null where that is not known. */
  readonly host: GitHost | null;
  /** Most that is kept in memory; where nothing is said, what is usual. */
  readonly bounds?: IndexBounds;
  /** Memory that it shares with others; its own where nothing is said. */
  readonly room?: MemoryRoom;
  /** Clusters name it, and not the configuration: where there is not room for all it goes first. */
  readonly isFound?: boolean;
}

/** Tips as the last fetch left them. */
export interface RepositoryTips {
  /** The branch that questions without one are about; null where the repository names none. */
  readonly defaultBranch: string | null;
  /** Whole hash by the name of each branch that may be asked for ("main", not "refs/heads/main"). */
  readonly branches: ReadonlyMap<string, string>;
}

const noRoom =
  'All repositories together are more than is kept in memory, and it is not read until there is room. Those under repositories in plumbline.yaml come first.';

/** All that is kept in memory of one repository. */
export interface RepositoryMemory {
  /** null while nothing was read, or where there is no room for it. */
  opened(): Opened | null;
  /** As `RepositoryReader` has it. */
  refresh(tips: RepositoryTips): Promise<boolean>;
  withheld(): string | null;
  /** As `RepositoryReader` has it. */
  leftOut(): string | null;
  /** A question may have added to what it was asked of. */
  hasGrown(of: Opened): void;
  close(): void;
}

/** Opens the memory of the repository in a directory. */
export function openMemory(directory: string, deps: RepositoryDeps, ended: AbortSignal): RepositoryMemory {
  const { runGit, host, bounds = usualBounds, room = createMemoryRoom(), isFound = false } = deps;
  const objects = createObjectReader(directory, runGit, ended);
  let tags: Tags = noTags;
  const commits = createCommitBook(objects, (sha) => tags.byCommit.get(sha) ?? []);
  const rules = createRuleBook(objects);
  let opened: Opened | null = null;
  let beginning: Fresh | null = null;
  let tooLarge: readonly string[] = [];
  /** Bytes that it took when it had to go; null where there is room for it. */
  let wasLetGo: number | null = null;
  const weight = (): number => {
    const kept = beginning ?? opened;
    return kept === null ? 0 : kept.index.weight() + kept.closures.weight() + tags.weight;
  };
  const member = {
    isFound,
    weight,
    letGo() {
      wasLetGo = Math.max(weight(), wasLetGo ?? 0);
      [opened, tags] = [null, noTags];
    },
  };
  const leave = room.enter(member);

  function fresh(): Fresh {
    const index = createCommitIndex(objects, bounds);
    return { index, ancestry: createAncestry(index, objects), closures: createClosureBook(index, objects) };
  }

  async function refresh(tips: RepositoryTips): Promise<boolean> {
    if (wasLetGo !== null && !room.fits(wasLetGo)) return true;
    const before = opened === null || isWorn(opened) ? null : opened;
    if (before === null && !room.reserve(member)) {
      wasLetGo ??= 0;
      return true;
    }
    wasLetGo = null;
    try {
      return await read(before, tips);
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    } finally {
      beginning = null;
      room.settle(member);
    }
  }

  async function read(before: Opened | null, { defaultBranch, branches }: RepositoryTips): Promise<boolean> {
    const made = before ?? fresh();
    beginning = made;
    tags = await readTags(objects);
    const tips = await addTips(made.index, branches);
    if (ended.aborted) return false;
    tooLarge = tips.tooLarge;
    const { index, ancestry, closures } = made;
    const sizeAtFirst = before?.sizeAtFirst ?? index.size();
    opened = { objects, commits, index, sizeAtFirst, ancestry, closures, rules, host, defaultBranch, branches };
    return tips.areRead;
  }

  return {
    opened: () => opened,
    refresh,
    withheld: () => (wasLetGo === null ? null : noRoom),
    leftOut: () => leftOutText(tooLarge, bounds),
    hasGrown(of) {
      if (opened === of) room.settle(member);
    },
    close() {
      opened = null;
      leave();
    },
  };
}

/** Adds tips to an index. Whoever may push one branch takes no other from those who ask, nor has the mirror made anew: what is too large is left out. */
async function addTips(
  index: CommitIndex,
  branches: RepositoryTips['branches'],
): Promise<{ readonly areRead: boolean; readonly tooLarge: readonly string[] }> {
  let areRead = true;
  const tooLarge: string[] = [];
  for (const [name, tip] of branches) {
    const added = wholeHash.test(tip) ? await index.add(tip, true) : 'unreadable';
    if (added === 'too-many') tooLarge.push(name);
    else areRead = typeof added !== 'string' && areRead;
  }
  return { areRead, tooLarge };
}

/** Most branches that are named in a sentence. */
const namedAtMost = 3;

function leftOutText(branches: readonly string[], { names, bytes }: IndexBounds): string | null {
  if (branches.length === 0) return null;
  const more = branches.length > namedAtMost ? ` and ${formatCount(branches.length - namedAtMost)} more` : '';
  const named = `${branches.slice(0, namedAtMost).join(', ')}${more}`;
  return `More is in it than is read of one repository (${formatCount(names)} names of files and directories, ${formatBytes(2 * bytes)} of memory): commits of ${named} are not listed, nor what they touch.`;
}

type Fresh = Pick<Opened, 'index' | 'ancestry' | 'closures'>;

/** True for an index that has no room any more, of which a new one would be smaller: it holds what nobody asks for again. */
function isWorn({ index, sizeAtFirst }: Opened): boolean {
  return index.isFull() && index.size() > sizeAtFirst * 1.25;
}
