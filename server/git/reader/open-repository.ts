import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import type { GitHost } from '#lib/git-host/host.ts';
import type { GitBuild, GitPlace, GitRange } from '../port/git-reader.ts';
import { mostAsked } from '../port/git-reader.ts';
import type {
  Between,
  BuildClosure,
  CommitFiles,
  CommitLog,
  Comparison,
  Distance,
  FileDiff,
  GitCommit,
  GitPoint,
} from '../port/shapes.ts';
import type { RunGit } from '../program/run-git.ts';
import { notTold, told, type Answered } from './answered.ts';
import { createClosureBook } from './closure/closure-book.ts';
import { createCommitBook } from './commit-book.ts';
import { createRuleBook } from './ignore/rule-book.ts';
import { createAncestry } from './index/ancestry.ts';
import { createCommitIndex, usualBounds, type IndexBounds } from './index/commit-index.ts';
import { createObjectReader, Unreadable, wholeHash } from './objects.ts';
import { unknownPoint, type Opened } from './opened.ts';
import { betweenOrWhy, distancesOrWhy } from './questions/between.ts';
import { builtFrom, closureOf, touches } from './questions/building.ts';
import { commitsOf, contain, filesOf, findCommits, logOf, onBranch } from './questions/commits.ts';
import { compareTrees } from './questions/compare.ts';
import { diffFiles } from './questions/diff.ts';
import { ownersOf } from './questions/owners.ts';
import { readTags } from './tags.ts';

/** Whatever one repository is read with. */
export interface RepositoryDeps {
  readonly runGit: RunGit;
  /** Software that serves it, which says where owners are written; null where that is not known. */
  readonly host: GitHost | null;
  /** Most that is kept in memory; where nothing is said, what is usual. */
  readonly bounds?: IndexBounds;
}

/** Tips as the last fetch left them. */
export interface RepositoryTips {
  /** The branch that questions without one are about; null where the repository names none. */
  readonly defaultBranch: string | null;
  /** Whole hash by the name of each branch that may be asked for ("main", not "refs/heads/main"). */
  readonly branches: ReadonlyMap<string, string>;
}

/**
 * Answers about one bare repository on disk, without network. Never rejects. Lists are in the order of what was asked; what goes beyond
 * `mostAsked` is not looked at. The same as `GitReader` without the repository and the age of the mirror.
 */
export interface RepositoryReader {
  /**
   * Reads what a fetch brought: tips, tags, and the commits that are new along first parents. Questions under way are answered by what was
   * there before. Call it once after opening and after each fetch; false where the repository, or one of the tips, cannot be read.
   */
  refresh(tips: RepositoryTips): Promise<boolean>;
  commits(shas: readonly string[]): Promise<Answered<readonly (GitCommit | null)[]>>;
  /** Commits that begin with 7 to 64 hex digits, at most 10. */
  find(digits: string): Promise<Answered<readonly GitCommit[]>>;
  log(page: {
    readonly branch: string | null;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<Answered<CommitLog>>;
  between(ranges: readonly GitRange[]): Promise<Answered<readonly Between[]>>;
  distances(ranges: readonly GitRange[]): Promise<Answered<readonly Distance[]>>;
  touches(sha: string, paths: readonly BuildPath[]): Promise<Answered<readonly (boolean | null)[]>>;
  contain(sha: string, commits: readonly string[]): Promise<Answered<readonly (boolean | null)[]>>;
  onBranch(
    pairs: readonly { readonly sha: string; readonly branch: string }[],
  ): Promise<Answered<readonly (boolean | null)[]>>;
  files(sha: string): Promise<Answered<CommitFiles>>;
  closure(build: GitBuild): Promise<Answered<BuildClosure>>;
  builtFrom(
    at: GitPoint,
    asked: { readonly paths: readonly BuildPath[]; readonly files: readonly string[] },
  ): Promise<Answered<readonly (readonly number[])[]>>;
  compare(left: GitPlace, right: GitPlace): Promise<Answered<Comparison>>;
  diff(left: GitPlace, right: GitPlace): Promise<Answered<FileDiff>>;
  owners(at: GitPoint, paths: readonly string[]): Promise<Answered<readonly (readonly string[])[]>>;
  /** Ends what is under way and lets go of all memory. Everything is not told then. */
  close(): void;
}

/** Opens a bare repository for questions. Nothing is read before the first `refresh`. */
export function openRepository(directory: string, deps: RepositoryDeps): RepositoryReader {
  const { runGit, host, bounds = usualBounds } = deps;
  const ended = new AbortController();
  const objects = createObjectReader(directory, runGit, ended.signal);
  let tags: ReadonlyMap<string, readonly string[]> = new Map();
  const commits = createCommitBook(objects, (sha) => tags.get(sha) ?? []);
  const rules = createRuleBook(objects);
  let opened: Opened | null = null;

  function fresh(): Pick<Opened, 'index' | 'ancestry' | 'closures'> {
    const index = createCommitIndex(objects, bounds);
    return { index, ancestry: createAncestry(index, objects), closures: createClosureBook(index, objects) };
  }

  async function refresh({ defaultBranch, branches }: RepositoryTips): Promise<boolean> {
    const before = opened === null || isWorn(opened) ? null : opened;
    const { index, ancestry, closures } = before ?? fresh();
    try {
      tags = await readTags(objects);
      let isWhole = true;
      for (const tip of branches.values()) {
        isWhole = wholeHash.test(tip) && typeof (await index.add(tip, true)) !== 'string' && isWhole;
      }
      if (ended.signal.aborted) return false;
      const sizeAtFirst = before?.sizeAtFirst ?? index.size();
      opened = { objects, commits, index, sizeAtFirst, ancestry, closures, rules, host, defaultBranch, branches };
      return isWhole;
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
  }

  async function ask<Answer>(question: (opened: Opened) => Promise<Answered<Answer>>): Promise<Answered<Answer>> {
    if (opened === null) return notTold('The repository has not been read yet.');
    try {
      return await question(opened);
    } catch (error) {
      if (error instanceof Unreadable) return notTold(unknownPoint(error.why));
      throw error;
    }
  }

  return {
    refresh,
    commits: (shas) => ask((now) => commitsOf(now, shas)),
    find: (digits) => ask((now) => findCommits(now, digits)),
    log: (page) => ask((now) => logOf(now, page)),
    between: (ranges) => ask(async (now) => told(await betweenOrWhy(now, ranges.slice(0, mostAsked.ranges)))),
    distances: (ranges) => ask(async (now) => told(await distancesOrWhy(now, ranges.slice(0, mostAsked.ranges)))),
    touches: (sha, paths) => ask((now) => touches(now, sha, paths)),
    contain: (sha, each) => ask((now) => contain(now, sha, each)),
    onBranch: (pairs) => ask((now) => onBranch(now, pairs)),
    files: (sha) => ask((now) => filesOf(now, sha)),
    closure: (build) => ask((now) => closureOf(now, build)),
    builtFrom: (at, asked) => ask((now) => builtFrom(now, at, asked)),
    compare: (left, right) => ask((now) => compareTrees(now, left, right)),
    diff: (left, right) => ask((now) => diffFiles(now, left, right)),
    owners: (at, paths) => ask((now) => ownersOf(now, at, paths)),
    close() {
      opened = null;
      ended.abort();
    },
  };
}

/** True for an index that has no room any more, of which a new one would be smaller: it holds what nobody asks for again. */
function isWorn({ index, sizeAtFirst }: Opened): boolean {
  return index.isFull() && index.size() > sizeAtFirst * 1.25;
}
