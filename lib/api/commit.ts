import { z } from 'zod';
import { fates } from '../domain/commit/fate.ts';
import { lagUnknowns } from '../domain/commit/lag.ts';
import { endpoint, NoQuery } from './endpoint.ts';
import { Time, VerdictName, WireRef } from './object.ts';
import { labelFilter, limitOf, recordShape, someOf } from './params.ts';
import { WireTimesNotKnown } from './git/times-not-known.ts';
import { waitTime } from './waiting/wait-time.ts';

/** A commit as a screen names it. */
export const WireCommitName = z.object({
  sha: z.string(),
  subject: z.string(),
  author: z.string(),
  /** When it was committed, by the clock of who did. */
  at: Time,
  /** By the convention of the host; `href` null where the host is not known. */
  pullRequest: z.object({ number: z.number(), href: z.string().nullable() }).nullable(),
  /** It carries a signature, which nobody verified. */
  signed: z.boolean(),
  tags: z.array(z.string()),
  /** On its git host; null where that is not known. */
  href: z.string().nullable(),
  /** Its page here. */
  self: z.string(),
  /** Key of its repository. */
  repository: z.string(),
});
export type WireCommitName = z.infer<typeof WireCommitName>;

/** State of a mirror, and how well its repository is known. */
export const WireRepository = z.object({
  key: z.string(),
  url: z.string(),
  origin: z.enum(['configured', 'found']),
  state: z.enum(['first-fetch', 'current', 'failing', 'refused']),
  /** Why it is not current, as a sentence; null where it is. */
  reason: z.string().nullable(),
  /** Everything that is told of it is as of then; null where it was never fetched. */
  fetchedAt: Time.nullable(),
  failingSince: Time.nullable(),
  defaultBranch: z.string().nullable(),
  branches: z.array(z.object({ name: z.string(), sha: z.string(), movedAt: Time })),
  bytes: z.number(),
  /** Branches whose history was rewritten (force-push), the newest first. */
  rewritten: z.array(z.object({ branch: z.string(), from: z.string(), to: z.string(), at: Time })),
  /** Times in which nothing was fetched, the newest first. */
  gaps: z.array(z.object({ from: Time, to: Time.nullable(), reason: z.string() })),
  /** Objects of the fleet that are built from it. */
  objects: z.number(),
});
export type WireRepository = z.infer<typeof WireRepository>;

/** Answer of GET /api/v1/repositories. `reason`: why nothing is told of them, as a sentence; null where it is. */
export const WireRepositories = z.object({
  asOf: Time,
  repositories: z.array(WireRepository),
  reason: z.string().nullable(),
});
export type WireRepositories = z.infer<typeof WireRepositories>;

const whole = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** True of the whole hash of a commit: 40 hex digits, 64 in a SHA-256 repository. */
export function isWholeHash(text: string): boolean {
  return whole.test(text);
}

/** Query of GET /api/v1/commit-names. */
export const CommitNamesQuery = z.object({
  sha: z
    .string()
    .max(6_500)
    .refine((text) => text.split(',').length <= 100 && text.split(',').every((sha) => whole.test(sha)), {
      error: 'must be whole hashes with commas, at most 100',
    })
    .meta({ description: 'Whole hashes of commits with commas, at most 100.' }),
});

export type CommitNamesQuery = z.infer<typeof CommitNamesQuery>;

/** Answer of GET /api/v1/commit-names. `unknown`: those that no mirror holds. */
export const WireCommitNames = z.object({
  asOf: Time,
  commits: z.array(WireCommitName),
  unknown: z.array(z.string()),
});
export type WireCommitNames = z.infer<typeof WireCommitNames>;

/** State of an object, a cluster or an environment for a commit; those that a commit does not concern are counted only. */
export const FateState = z.enum(fates);
export type FateState = z.infer<typeof FateState>;
/** Numbers by state. */
export const WireFateCounts = z.record(FateState, z.number());
export type WireFateCounts = z.infer<typeof WireFateCounts>;

/** Query of GET /api/v1/commits: the history of one branch. */
export const CommitsQuery = z.object({
  repository: z.string().max(2_048).default('').meta({
    description: 'Key or address of a repository; the one that most objects are built from where absent.',
  }),
  branch: z.string().max(1_024).default('').meta({ description: 'The default branch where absent.' }),
  path: z
    .string()
    .max(1_024)
    .default('')
    .meta({ description: 'Only commits that touch what this path is built from.' }),
  after: z
    .string()
    .refine((text) => text === '' || whole.test(text), { error: 'must be a whole hash' })
    .default('')
    .meta({ description: 'The commit after which the page begins, as `nextCursor` of the page before.' }),
  limit: limitOf(100, 30),
});
export type CommitsQuery = z.infer<typeof CommitsQuery>;

/** One commit of a list: how many clusters it concerns, each by its worst state there; null where that is not known, or would be too much to look at. */
export const WireListedCommit = WireCommitName.extend({ counts: WireFateCounts.nullable() });
export type WireListedCommit = z.infer<typeof WireListedCommit>;

/** Answer of GET /api/v1/commits. */
export const WireCommitList = z.object({
  asOf: Time,
  repositories: z.array(WireRepository),
  /** The repository and branch that are listed; null where there is none to list. */
  of: z.object({ repository: z.string(), branch: z.string() }).nullable(),
  rows: z.array(WireListedCommit),
  /** Why nothing, or not all, is told, as a sentence; null where all is. */
  reason: z.string().nullable(),
  nextCursor: z.string().nullable(),
});
export type WireCommitList = z.infer<typeof WireCommitList>;

/** One object that a commit concerns. */
export const WireCommitObject = z.object({
  ref: WireRef,
  href: z.string(),
  state: FateState,
  verdict: VerdictName,
  /** Why it is stuck, failed later or is not known, in a few words; '' where nothing is to be said. */
  why: z.string(),
  /** Since when it is away from git; null where it is not. */
  since: Time.nullable(),
  /** The later commit, where it is superseded. */
  by: z.object({ sha: z.string(), subject: z.string().nullable() }).nullable(),
});
export type WireCommitObject = z.infer<typeof WireCommitObject>;

/** A commit on one cluster: its worst state there, and when it came. Times are null where it has not come so far, or that is not known. */
export const WireCommitCluster = z.object({
  cluster: z.string(),
  /** The label `environment`; '' where it has none. */
  environment: z.string(),
  state: FateState,
  why: z.string(),
  since: Time.nullable(),
  /** When its sources were seen to offer the commit, or a later one that holds it. */
  offeredAt: Time.nullable(),
  /** When the first object there was converged at it; null while none that it concerns is. Objects that it does not touch count too: they arrive with it. */
  firstAt: Time.nullable(),
  /** When the last one was; null while one is open. */
  lastAt: Time.nullable(),
  notKnown: WireTimesNotKnown,
  /** Those that it concerns, the ones to look at first in front; at most 500, and 10,000 of all clusters. */
  objects: z.array(WireCommitObject),
  counts: WireFateCounts,
});
export type WireCommitCluster = z.infer<typeof WireCommitCluster>;

/**
 * A commit in one environment: when it had come to the first cluster of it, and to the last. `arrived`: clusters on which it is converged or superseded. Times
 * are null where of one cluster they are not known.
 */
export const WireCommitEnvironment = z.object({
  environment: z.string(),
  clusters: z.number(),
  arrived: z.number(),
  firstAt: Time.nullable(),
  /** null while a cluster is open. */
  lastAt: Time.nullable(),
});
export type WireCommitEnvironment = z.infer<typeof WireCommitEnvironment>;

/**
 * End of a commit in all. arrived: every object that it concerns is converged or superseded; failed: one is stuck, or failed later; waiting: neither;
 * unknown: neither, and of one nothing is known; nothing: it concerns no object here.
 */
export const outcomes = ['arrived', 'failed', 'waiting', 'unknown', 'nothing'] as const;

/** Query of GET /api/v1/commits/{sha}. */
export const CommitQuery = z.object({
  sha: z.string().regex(/^[0-9a-f]{7,64}$/, { error: 'must be 7 to 64 hex digits of a commit' }),
  cluster: z.string().default('').meta({ description: 'Name of a cluster; several with commas; all where absent.' }),
  label: labelFilter.meta({ description: 'Clusters that carry all of these labels.' }),
  state: someOf(fates, 'states').meta({ description: `Objects in these states: ${fates.join(', ')}.` }),
  wait: waitTime.meta({
    description:
      'Seconds, or a duration such as 15m, at most 30m: the answer comes once the commit has arrived or failed, or after so long.',
  }),
});
export type CommitQuery = z.infer<typeof CommitQuery>;

/** Answer of GET /api/v1/commits/{sha}. */
export const WireCommitPage = z.object({
  asOf: Time,
  commit: WireCommitName,
  /** Address of its repository. */
  url: z.string(),
  /** When the mirror was last fetched: what git tells is as of then. */
  mirroredAt: Time,
  /** Files that it changes against its first parent, at most 1,000; `count`: all of them. null where that is not told. */
  files: z
    .object({
      files: z.array(z.object({ path: z.string(), change: z.enum(['added', 'modified', 'removed', 'type-changed']) })),
      count: z.number(),
    })
    .nullable(),
  /** It is on these of the branches that are followed; empty where it is on none any more (rewritten history). */
  branches: z.array(z.string()),
  outcome: z.enum(outcomes),
  /** Where it has come, as a sentence: "Converged on 9 of 12 clusters; stuck on 3: eu-west-3, BuildFailed for 12 min." */
  sentence: z.string(),
  /** Objects by state; those that it does not concern are among them. */
  counts: WireFateCounts,
  /** Clusters with an object that it concerns, the ones to look at first in front. */
  clusters: z.array(WireCommitCluster),
  environments: z.array(WireCommitEnvironment),
});
export type WireCommitPage = z.infer<typeof WireCommitPage>;

/** Distance of one object behind the branch that its source follows. Numbers are null where that is not known. */
export const WireLag = z.object({
  ref: WireRef,
  href: z.string(),
  /** Key of its repository. */
  repository: z.string(),
  path: z.string(),
  branch: z.string().nullable(),
  /** The commit that runs. */
  runs: z.string().nullable(),
  /** Commits of the branch that have not arrived. */
  commits: z.number().nullable(),
  /** Those of them that touch what it builds from: only these are lag. */
  touching: z.number().nullable(),
  /** True where `touching` is the least that it may be: not all is known that it builds from. */
  atLeast: z.boolean(),
  /** The oldest that is known to; it waits since `at`, by the clock of who committed it. */
  oldest: z.object({ sha: z.string(), subject: z.string(), at: Time }).nullable(),
  why: z.enum(lagUnknowns).nullable(),
  /** All of it as a sentence: "3 commits behind, 2 touch this path, the oldest waits for 12 min" */
  text: z.string(),
});
export type WireLag = z.infer<typeof WireLag>;

/** Query of GET /api/v1/lag. */
export const LagQuery = z.object({ ...recordShape, limit: limitOf(5_000, 1_000) });
export type LagQuery = z.infer<typeof LagQuery>;

/** Answer of GET /api/v1/lag: objects with a path, the furthest behind first. */
export const WireLagList = z.object({
  asOf: Time,
  lags: z.array(WireLag),
  /** Objects that are not among them. */
  leftOut: z.number(),
  /** Their repositories: what git tells is as of `mirroredAt`; null where it tells nothing, with `reason`. */
  repositories: z.array(z.object({ key: z.string(), mirroredAt: Time.nullable(), reason: z.string().nullable() })),
});
export type WireLagList = z.infer<typeof WireLagList>;

export const lagApi = endpoint({
  path: '/api/v1/lag',
  summary: 'How far objects are behind the branches that their sources follow, by the commits that touch their paths',
  query: LagQuery,
  answer: WireLagList,
  name: 'LagList',
  at: false,
});

/**
 * Commits after one on its branch that touch the paths which some clusters build from at it: of each path there are at least `least` and at most
 * `most` such commits.
 */
export const WireTouching = z.object({ least: z.number(), most: z.number(), clusters: z.array(z.string()) });
export type WireTouching = z.infer<typeof WireTouching>;

/** One commit that objects of the fleet run. */
export const WireRunningCommit = z.object({
  sha: z.string(),
  /** null where no mirror holds it. */
  name: WireCommitName.nullable(),
  /** Key of its repository. */
  repository: z.string(),
  /** The branch that objects at it follow. */
  branch: z.string().nullable(),
  /** Commits of the branch after it, whatever they touch; null where that is not known, with `why`. */
  behind: z.number().nullable(),
  why: z.enum(lagUnknowns).nullable(),
  /** Those of them that touch what clusters build from; a cluster of which that is not known is in none. Empty too where `behind` is 0. */
  touching: z.array(WireTouching),
  objects: z.number(),
  clusters: z.number(),
});
export type WireRunningCommit = z.infer<typeof WireRunningCommit>;

/** Answer of GET /api/v1/running: by repository, the one that most objects are built from first; in each the newest commit first, then those of which that is not known. */
export const WireRunning = z.object({
  asOf: Time,
  commits: z.array(WireRunningCommit),
  /** Commits that are not among them. */
  leftOut: z.number(),
  /** When each repository was fetched; null where git tells nothing of it, with `reason`. */
  repositories: z.array(z.object({ key: z.string(), mirroredAt: Time.nullable(), reason: z.string().nullable() })),
});
export type WireRunning = z.infer<typeof WireRunning>;

export const runningApi = endpoint({
  path: '/api/v1/running',
  summary: 'Commits that the fleet runs, the newest first, with how far each is behind its branch',
  query: NoQuery,
  answer: WireRunning,
  name: 'RunningCommits',
  at: false,
});

export const repositoriesApi = endpoint({
  path: '/api/v1/repositories',
  summary: 'Repositories that are mirrored, or should be, and how well each is known',
  query: NoQuery,
  answer: WireRepositories,
  name: 'RepositoryList',
  at: false,
});

export const commitNamesApi = endpoint({
  path: '/api/v1/commit-names',
  summary: 'Subject, author, time and pull request of commits',
  query: CommitNamesQuery,
  answer: WireCommitNames,
  name: 'CommitNames',
  at: false,
});

export const commitsApi = endpoint({
  path: '/api/v1/commits',
  summary: 'Commits of a branch, newest first, with how far each has come',
  query: CommitsQuery,
  answer: WireCommitList,
  name: 'CommitList',
  at: false,
});

export const commitApi = endpoint({
  path: '/api/v1/commits/{sha}',
  summary:
    'One commit across the fleet: where it has come, is on its way, is stuck or failed later, and why; waits for it where asked to',
  query: CommitQuery,
  answer: WireCommitPage,
  name: 'CommitPage',
  at: false,
});
