import type { BuildPath } from '#lib/domain/commit/build-path.ts';
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
import { notTold, told, type Answered } from './answered.ts';
import { Unreadable } from './objects.ts';
import { unknownPoint, type Opened } from './opened.ts';
import { openMemory, type RepositoryDeps, type RepositoryTips } from './repository-memory.ts';
import { betweenOrWhy, distancesOrWhy } from './questions/between.ts';
import { builtFrom, closureOf, touches } from './questions/building.ts';
import { commitsOf, contain, filesOf, findCommits, logOf, onBranch } from './questions/commits.ts';
import { compareTrees } from './questions/compare.ts';
import { diffFiles } from './questions/diff.ts';
import { ownersOf } from './questions/owners.ts';

/**
 * Answers about one bare repository on disk, without network. Never rejects. Lists are in the order of what was asked; what goes beyond
 * `mostAsked` is not looked at. The same as `GitReader` without the repository and the age of the mirror.
 */
export interface RepositoryReader {
  /**
   * Reads what a fetch brought: tips, tags, and the commits that are new along first parents. Questions under way are answered by what was
   * there before. Call it once after opening and after each fetch; false where the repository, or one of the tips, cannot be read. A tip that is
   * too large is left out.
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
  /** Why nothing of it is told though it was read: there is no room for it; null where there is. */
  withheld(): string | null;
  /** Which branches are too large to be read, and how large that is; null where none is. */
  leftOut(): string | null;
  /** Ends what is under way and lets go of all memory. Everything is not told then. */
  close(): void;
}

/** Opens a bare repository for questions. Nothing is read before the first `refresh`. */
export function openRepository(directory: string, deps: RepositoryDeps): RepositoryReader {
  const ended = new AbortController();
  const memory = openMemory(directory, deps, ended.signal);

  async function ask<Answer>(question: (opened: Opened) => Promise<Answered<Answer>>): Promise<Answered<Answer>> {
    const now = memory.opened();
    if (now === null) return notTold(memory.withheld() ?? 'The repository has not been read yet.');
    try {
      return await question(now);
    } catch (error) {
      if (error instanceof Unreadable) return notTold(unknownPoint(error.why));
      throw error;
    } finally {
      memory.hasGrown(now);
    }
  }

  return {
    refresh: memory.refresh,
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
    withheld: memory.withheld,
    leftOut: memory.leftOut,
    close() {
      memory.close();
      ended.abort();
    },
  };
}
