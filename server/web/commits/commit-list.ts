import type { CommitsQuery, WireCommitList, WireFateCounts, WireListedCommit } from '#lib/api/commit.ts';
import type { FateName } from '#lib/domain/commit/fate.ts';
import { second } from '#lib/domain/time/length.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { CommitLog, GitCommit } from '#server/git/port/shapes.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { sharedAnswers } from '../git/shared-answers.ts';
import { isRefused, refuse, type Refused } from '../http/problem.ts';
import { wireTime } from '../wire/wire-time.ts';
import { commitName } from './commit-name.ts';
import { worstStates } from './cluster-fates.ts';
import { objectsAt } from './build-of.ts';
import { type FleetRepository, repositoriesOf } from './fleet-repositories.ts';
import { repositories } from './repositories.ts';

/** A page of commits that touch a path is sought among so many. */
const soughtAmong = 1_000;
const pageOfLog = 200;
/** Of a repository with more objects none is counted for a list. */
const mostCounted = 60_000;
/** Paths and objects that are looked at for one list, all its commits together: a microsecond or two each. What is kept of clusters is none. */
const mostLookedAt = 300_000;
/** So long (ms) commits are counted: git may be slow, and the list is wanted. */
const countedFor = 5 * second;

interface Listed {
  readonly commits: readonly GitCommit[];
  readonly next: string | null;
}

/** Commits of a branch, newest first, told once for all who ask while neither the fleet nor git has changed. */
export const commitList = sharedAnswers(listCommits, (answer) => (isRefused(answer) ? null : answer.rows.length));

/** Commits of a branch, newest first. */
async function listCommits(moment: KnownMoment, query: CommitsQuery): Promise<WireCommitList | Refused> {
  const now = moment.now();
  const all = await repositories(moment);
  const asked = query.repository === '' ? null : repositoryKey(query.repository);
  const of = all.repositories.find(({ key }) => asked === null || key === asked);
  const nothing = { asOf: wireTime(now), repositories: all.repositories, of: null, rows: [], nextCursor: null };
  if (of === undefined) {
    if (asked === null || all.reason !== null) return { ...nothing, reason: all.reason };
    return refuse({ type: 'not-found', what: `No repository ${query.repository} is mirrored.`, nearest: [] });
  }
  const branch = query.branch === '' ? null : query.branch;
  const log = await readLog(moment.git, of.key, query, branch);
  if (log.type === 'not-told') return { ...nothing, reason: log.reason };
  const fleet = repositoriesOf(moment.fleet.all(now)).find(({ key }) => key === of.key);
  const { links } = moment.context(now);
  const counts = await countsOf(moment, of, log.listed.commits, fleet);
  const rows: WireListedCommit[] = log.listed.commits.map((commit, index) => ({
    ...commitName(commit, fleet?.url ?? of.url, links),
    counts: counts[index] ?? null,
  }));
  return {
    asOf: wireTime(now),
    repositories: all.repositories,
    of: { repository: of.key, branch: log.branch },
    rows,
    reason: of.reason,
    nextCursor: log.listed.next,
  };
}

type Read =
  | { readonly type: 'read'; readonly branch: string; readonly listed: Listed }
  | { readonly type: 'not-told'; readonly reason: string };

/** A page of the log; of a path, those that touch what it is built from. */
async function readLog(
  git: GitReader,
  url: string,
  { path, after, limit }: CommitsQuery,
  branch: string | null,
): Promise<Read> {
  const commits: GitCommit[] = [];
  let from = after === '' ? null : after;
  let name = branch ?? '';
  for (let sought = 0; sought < soughtAmong; sought += pageOfLog) {
    const told = await git.log(url, { branch, after: from, limit: path === '' ? limit : pageOfLog });
    if (told.type === 'not-told') return told;
    name = told.answer.branch;
    if (path === '') return { type: 'read', branch: name, listed: told.answer };
    const found = await touching(git, url, path, told.answer);
    if (found === null) return { type: 'not-told', reason: 'What its commits touch cannot be told now.' };
    for (const commit of found) {
      commits.push(commit);
      if (commits.length === limit) return { type: 'read', branch: name, listed: { commits, next: commit.sha } };
    }
    from = told.answer.next;
    if (from === null) return { type: 'read', branch: name, listed: { commits, next: null } };
  }
  return { type: 'read', branch: name, listed: { commits, next: from } };
}

/** Those of a page that touch what a path is built from; null where that is not told of one. */
async function touching(
  git: GitReader,
  url: string,
  path: string,
  { commits }: CommitLog,
): Promise<readonly GitCommit[] | null> {
  const told = await Promise.all(commits.map(({ sha }) => git.touches(url, sha, [path])));
  if (told.some((one) => one.type === 'not-told' || one.answer[0] === null)) return null;
  return commits.filter((_, index) => {
    const one = told[index];
    return one?.type === 'told' && one.answer[0] === true;
  });
}

/**
 * For each commit: the clusters that it concerns, each by its worst state; null where that is not known of any, or too much is to be looked
 * at: the newest first. One commit after the other, with others served in between.
 */
async function countsOf(
  moment: KnownMoment,
  { key, fetchedAt }: WireCommitList['repositories'][number],
  commits: readonly GitCommit[],
  fleet: FleetRepository | undefined,
): Promise<readonly (WireFateCounts | null)[]> {
  if (fleet === undefined || fleet.count > mostCounted) return commits.map(() => null);
  const counts: (WireFateCounts | null)[] = [];
  let left = mostLookedAt;
  const end = moment.now() + countedFor;
  for (const { sha } of commits) {
    if (left <= 0 || moment.now() > end) break;
    const asked = { repository: key, sha, fetchedAt: fetchedAt ?? '' };
    const { worst, lookedAt } = await worstStates(moment.git, asked, fleet.lists, objectsAt(moment, moment.now()));
    left -= lookedAt;
    counts.push(clusterCounts(worst));
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return commits.map((_, index) => counts[index] ?? null);
}

function clusterCounts(worst: readonly (FateName | null)[]): WireFateCounts {
  const numbers = new Map<FateName | null, number>();
  for (const state of worst) numbers.set(state, (numbers.get(state) ?? 0) + 1);
  const count = (state: FateName): number => numbers.get(state) ?? 0;
  return {
    stuck: count('stuck'),
    'failed-later': count('failed-later'),
    unknown: count('unknown'),
    'on-its-way': count('on-its-way'),
    superseded: count('superseded'),
    converged: count('converged'),
    'not-concerned': numbers.get(null) ?? 0,
  };
}
