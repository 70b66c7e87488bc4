import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import type {
  Between,
  BuildClosure,
  CommitFiles,
  CommitLog,
  Comparison,
  Distance,
  FileDiff,
  FoundCommit,
  GitCommit,
  GitPoint,
  RepositoryState,
} from './shapes.ts';

/** An answer, or why there is none: the git process does not answer, the repository is not mirrored (yet), the question has no answer. */
export type Told<Answer> =
  | {
      readonly type: 'told';
      /** When the repository was last fetched whole (ms); of several, the oldest. */
      readonly asOf: number;
      readonly answer: Answer;
    }
  /** `reason` is a sentence for people. */
  | { readonly type: 'not-told'; readonly reason: string };

/** A directory or file at a commit. `path` is relative to the root of the repository, '' for the root. */
export interface GitPlace {
  readonly at: GitPoint;
  readonly path: string;
}

/** A path that something builds from, at a commit. */
export interface GitBuild {
  readonly at: GitPoint;
  readonly path: BuildPath;
}

/** A range of commits and the path whose sources are asked for; `path` null: none, every commit counts as touching. */
export interface GitRange {
  readonly path: BuildPath | null;
  readonly from: string;
  readonly to: GitPoint;
}

/** A repository of the fleet, and the branches that its sources follow. */
export interface WantedRepository {
  readonly url: string;
  readonly branches: readonly string[];
}

/** Most entries of one question: of commits, of ranges or paths, of files. */
export const mostAsked = { commits: 500, ranges: 5_000, files: 500 } as const;

/**
 * Answers about the mirrored repositories. `repository` is an address in any form that git takes; addresses of one repository
 * (`repositoryKey`) are the same. Never rejects: what cannot be answered is `not-told`, and of an answer that takes longer than 10 s nothing
 * is told. Lists of answers are in the order of what was asked.
 */
export interface GitReader {
  /** Every repository that is mirrored, or should be. */
  repositories(): Promise<Told<readonly RepositoryState[]>>;
  /** Says which repositories the fleet's sources name. What was wanted before and is not any more is kept for a day. */
  want(repositories: readonly WantedRepository[]): Promise<void>;
  /** Commits by their whole hash; null where the repository does not hold one. */
  commits(repository: string, shas: readonly string[]): Promise<Told<readonly (GitCommit | null)[]>>;
  /** Commits that begin with 7 to 64 hex digits, at most 10, each of every repository that holds it. */
  find(digits: string): Promise<Told<readonly FoundCommit[]>>;
  /** A page of a branch's history (null: the default branch), after a commit where one is given; at most 200. */
  log(
    repository: string,
    page: { readonly branch: string | null; readonly after: string | null; readonly limit: number },
  ): Promise<Told<CommitLog>>;
  /** For each range: what lies between, and what of it touches what its path builds from. */
  between(repository: string, ranges: readonly GitRange[]): Promise<Told<readonly Between[]>>;
  /** For each range: the same in numbers, which is a small part of the answer. */
  distances(repository: string, ranges: readonly GitRange[]): Promise<Told<readonly Distance[]>>;
  /** For each path: whether a commit touches what it builds from, at that commit or before it. null: not known. */
  touches(repository: string, sha: string, paths: readonly BuildPath[]): Promise<Told<readonly (boolean | null)[]>>;
  /** For each commit: whether `sha` is in its history. null where the repository does not hold both. */
  contain(repository: string, sha: string, commits: readonly string[]): Promise<Told<readonly (boolean | null)[]>>;
  /** For each pair: whether the branch holds the commit now. null where the repository does not hold both. */
  onBranch(
    repository: string,
    pairs: readonly { readonly sha: string; readonly branch: string }[],
  ): Promise<Told<readonly (boolean | null)[]>>;
  files(repository: string, sha: string): Promise<Told<CommitFiles>>;
  closure(repository: string, build: GitBuild): Promise<Told<BuildClosure>>;
  /** For each file: the indexes of those paths that build from it at the commit. */
  builtFrom(
    repository: string,
    at: GitPoint,
    asked: { readonly paths: readonly BuildPath[]; readonly files: readonly string[] },
  ): Promise<Told<readonly (readonly number[])[]>>;
  compare(repository: string, left: GitPlace, right: GitPlace): Promise<Told<Comparison>>;
  /** Of two files. */
  diff(repository: string, left: GitPlace, right: GitPlace): Promise<Told<FileDiff>>;
  /** Owners of each path by the CODEOWNERS of the host, at the commit; none where nobody owns it. */
  owners(repository: string, at: GitPoint, paths: readonly string[]): Promise<Told<readonly (readonly string[])[]>>;
}

/** Answers nothing, for one reason: no repository is mirrored here. */
export function noGit(reason: string): GitReader {
  const nothing = (): Promise<{ readonly type: 'not-told'; readonly reason: string }> =>
    Promise.resolve({ type: 'not-told', reason });
  return {
    repositories: nothing,
    want: () => Promise.resolve(),
    commits: nothing,
    find: nothing,
    log: nothing,
    between: nothing,
    distances: nothing,
    touches: nothing,
    contain: nothing,
    onBranch: nothing,
    files: nothing,
    closure: nothing,
    builtFrom: nothing,
    compare: nothing,
    diff: nothing,
    owners: nothing,
  };
}
