import { z } from 'zod';

/*
 * Every shape that is told of repositories. All of it is plain JSON; times are ms since the epoch. Words of a repository come cleaned,
 * bounded and redacted (`lib/foreign-words.ts`).
 */

/** A commit, whole: 40 hex digits, 64 in a SHA-256 repository. */
export const Sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** One commit as its repository has it. */
export const GitCommit = z.object({
  sha: Sha,
  /** The first is the one that it was merged into; at most 16. */
  parents: z.array(Sha),
  authoredAt: z.number(),
  committedAt: z.number(),
  author: z.string(),
  subject: z.string(),
  /** By the convention of the host, read from the subject; null where it shows none. */
  pullRequest: z.number().nullable(),
  /** It carries a signature. Nobody has verified it. */
  signed: z.boolean(),
  /** Tags that name it, at most 16. */
  tags: z.array(z.string()),
});
export type GitCommit = z.infer<typeof GitCommit>;

/** State of a mirror: fetched for the first time, as of its last fetch, older than that, or not fetched at all and why. */
export const repositoryStates = ['first-fetch', 'current', 'failing', 'refused'] as const;

/** One repository, how well it is known, and what happened to its branches. */
export const RepositoryState = z.object({
  /** `repositoryKey` of its address. */
  key: z.string(),
  /** Without user information. */
  url: z.string(),
  /** configured: named in plumbline.yaml; found: named by sources of the fleet. */
  origin: z.enum(['configured', 'found']),
  state: z.enum(repositoryStates),
  /** Why it is not current, for people; null where it is. */
  reason: z.string().nullable(),
  /** End of the last fetch that brought everything; null where none did. What is told of the repository is as of then. */
  fetchedAt: z.number().nullable(),
  triedAt: z.number().nullable(),
  failingSince: z.number().nullable(),
  defaultBranch: z.string().nullable(),
  /** At most 100, the default branch first. `movedAt`: when it was first seen at `sha`. */
  branches: z.array(z.object({ name: z.string(), sha: Sha, movedAt: z.number() })),
  /** Bytes of the mirror on disk. */
  bytes: z.number(),
  /** Branches that were moved to a commit that does not contain the one before (force-push), the newest first, at most 20. */
  rewritten: z.array(z.object({ branch: z.string(), from: Sha, to: Sha, at: z.number() })),
  /** Times in which nothing was fetched, the newest first, at most 50. `to` null: it lasts. */
  gaps: z.array(z.object({ from: z.number(), to: z.number().nullable(), reason: z.string() })),
});
export type RepositoryState = z.infer<typeof RepositoryState>;

/** End of a range of commits: a commit, or the tip of a branch. */
export const GitPoint = z.discriminatedUnion('type', [
  z.object({ type: z.literal('commit'), sha: Sha }),
  z.object({ type: z.literal('branch'), name: z.string() }),
]);
export type GitPoint = z.infer<typeof GitPoint>;

/** A commit that touches what a path builds from, with those of its files that do: at most 20, `fileCount` is how many there are. */
export const Touch = z.object({ commit: GitCommit, files: z.array(z.string()), fileCount: z.number() });
export type Touch = z.infer<typeof Touch>;

/** Why commits between two points are not known. */
export const betweenUnknown = ['no-such-commit', 'no-such-branch', 'rewritten', 'too-many', 'unreadable'] as const;

/**
 * Commits after `from` up to and with `to`, along first parents: what a merge brought counts as the merge. rewritten: `from` is not in the
 * history of `to`.
 */
export const Between = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('known'),
    to: Sha,
    /** Number of those between. */
    commits: z.number(),
    /** Those that touch what the path builds from, the newest first, at most 20. */
    touching: z.array(Touch),
    /** Number of those that do. */
    touchingCount: z.number(),
    /** The oldest that does, which may be none of the 20. */
    oldest: GitCommit.nullable(),
  }),
  z.object({ type: z.literal('unknown'), why: z.enum(betweenUnknown) }),
]);
export type Between = z.infer<typeof Between>;

/** Numbers of a range without its commits: how many lie between, how many of them touch what the path builds from, and the oldest that does. */
export const Distance = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('known'),
    to: Sha,
    commits: z.number(),
    touching: z.number(),
    oldest: GitCommit.nullable(),
  }),
  z.object({ type: z.literal('unknown'), why: z.enum(betweenUnknown) }),
]);
export type Distance = z.infer<typeof Distance>;

/** Way in which a file differs from the first parent's. A rename is a removal and an addition. */
export const fileChanges = ['added', 'modified', 'removed', 'type-changed'] as const;

/** Files that a commit changes against its first parent, by path, at most 1,000. */
export const CommitFiles = z.object({
  files: z.array(z.object({ path: z.string(), change: z.enum(fileChanges) })),
  /** Number of all of them. */
  count: z.number(),
});
export type CommitFiles = z.infer<typeof CommitFiles>;

/** Type of content at a path on one side of a comparison. */
export const contentTypes = ['text', 'binary', 'too-large', 'link', 'submodule'] as const;

/** One file of a comparison, `path` relative to both directories. */
export const ComparedFile = z.object({
  path: z.string(),
  status: z.enum(['equal', 'different', 'left-only', 'right-only']),
  content: z.enum(contentTypes),
});
export type ComparedFile = z.infer<typeof ComparedFile>;

/** Two directories, file by file, at most 2,000 files by path. */
export const Comparison = z.object({
  left: z.object({ commit: GitCommit, path: z.string(), exists: z.boolean() }),
  right: z.object({ commit: GitCommit, path: z.string(), exists: z.boolean() }),
  files: z.array(ComparedFile),
  counts: z.object({ equal: z.number(), different: z.number(), leftOnly: z.number(), rightOnly: z.number() }),
});
export type Comparison = z.infer<typeof Comparison>;

/** Lines of a difference in order. Numbers are those of the line on its side, from 1. */
export const DiffLine = z.object({
  type: z.enum(['same', 'left', 'right']),
  left: z.number().nullable(),
  right: z.number().nullable(),
  text: z.string(),
});

/** Two files, line by line with 3 lines around each difference; lines are redacted, at most 2,000 of them. */
export const FileDiff = z.object({
  content: z.enum(contentTypes),
  hunks: z.array(z.object({ lines: z.array(DiffLine) })),
  /** There is more than is told. */
  cut: z.boolean(),
});
export type FileDiff = z.infer<typeof FileDiff>;

/** A commit that was asked for by its first digits. */
export const FoundCommit = z.object({ repository: z.string(), url: z.string(), commit: GitCommit });
export type FoundCommit = z.infer<typeof FoundCommit>;

/** A page of the history of a branch along first parents, the newest first. */
export const CommitLog = z.object({
  branch: z.string(),
  commits: z.array(GitCommit),
  /** The commit after which the next page begins; null where there is none. */
  next: Sha.nullable(),
});
export type CommitLog = z.infer<typeof CommitLog>;

/** Directories (each with all that is beneath it) and files that a path builds from at a commit, within the repository. */
export const BuildClosure = z.object({
  directories: z.array(z.string()),
  files: z.array(z.string()),
  /** Names in its kustomization.yaml files that the repository does not hold (remote bases among them) or that cannot be read; at most 50. */
  missing: z.array(z.string()),
});
export type BuildClosure = z.infer<typeof BuildClosure>;
