import type { WireRunning, WireRunningCommit } from '#lib/api/commit.ts';
import type { LagUnknown } from '#lib/domain/commit/lag.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { Distance, GitCommit } from '#server/git/port/shapes.ts';
import type { KnownMoment } from '../../fleet/known-moment.ts';
import { sharedAnswers } from '../../git/shared-answers.ts';
import type { LinksOf } from '../../wire/wire-context.ts';
import { wireTime, wireTimeOrNull } from '../../wire/wire-time.ts';
import { commitName } from '../commit-name.ts';
import { objectsAt } from '../build-of.ts';
import { fleetRuns, type Run, type RunsOf } from './fleet-runs.ts';
import { touchingOn } from './touching-on.ts';

const mostRepositories = 20;
/** The commits of a repository that most objects run, so many. */
const mostCommits = 200;

/** Paths that are asked for in one answer, about; of each repository so many at least. */
const allPaths = 10_000;
const fewestPaths = 1_000;

/** Commits that run, told once for all who ask while neither the fleet nor git has changed. */
export const runningCommits = sharedAnswers(listRunning, ({ commits }) => commits.length);

/** Commits that objects which are seen run, and how far each is behind the branch that they follow. */
async function listRunning(moment: KnownMoment): Promise<WireRunning> {
  const now = moment.now();
  const { links } = moment.context(now);
  const all = fleetRuns(moment.fleet.all(now), objectsAt(moment, now));
  const asked = all.slice(0, mostRepositories);
  const mostPaths = Math.max(fewestPaths, Math.floor(allPaths / Math.max(1, asked.length)));
  const told = await Promise.all(asked.map((one) => ofRepository(moment.git, one, links, mostPaths)));
  const commits = told.flatMap((one) => one.commits);
  const runs = all.reduce((sum, one) => sum + one.runs.length, 0);
  return {
    asOf: wireTime(now),
    commits,
    leftOut: runs - commits.length,
    repositories: told.map(({ repository }) => repository),
  };
}

async function ofRepository(git: GitReader, { key, url, runs }: RunsOf, links: LinksOf, mostPaths: number) {
  const most = runs.toSorted((a, b) => b.objects - a.objects || compareText(a.sha, b.sha));
  const shown = most.slice(0, mostCommits);
  const offered = shown.flatMap((run) => [...run.offered]);
  const shas = [...new Set([...shown.map(({ sha }) => sha), ...offered])].slice(0, mostAsked.commits);
  const followed = shown.flatMap(({ sha, branch }) => (branch === null ? [] : [{ sha, branch }]));
  const [named, distances] = await Promise.all([
    git.commits(url, shas),
    git.distances(
      url,
      followed.map(({ sha, branch }) => ({ path: null, from: sha, to: { type: 'branch' as const, name: branch } })),
    ),
  ]);
  const held = new Map<string, GitCommit>();
  if (named.type === 'told') for (const commit of named.answer) if (commit !== null) held.set(commit.sha, commit);
  const behind = new Map<string, Distance>();
  followed.forEach(({ sha }, index) => {
    const answer = distances.type === 'told' ? distances.answer[index] : undefined;
    if (answer !== undefined) behind.set(sha, answer);
  });
  const placed = shown.map((run) => ({ run, distance: distanceOf(run, behind.get(run.sha), held) }));
  const open = placed.flatMap(({ run, distance }) => {
    const told = behind.get(run.sha);
    return told?.type === 'known' && typeof distance === 'number' && distance > 0 ? [[run, told.to] as const] : [];
  });
  const touching = await touchingOn(git, url, new Map(open), mostPaths);
  const commits = placed.map(({ run, distance }): WireRunningCommit => {
    const commit = held.get(run.sha);
    return {
      sha: run.sha,
      name: commit === undefined ? null : commitName(commit, url, links),
      repository: key,
      branch: run.branch,
      behind: typeof distance === 'number' ? distance : null,
      why: typeof distance === 'number' ? null : distance,
      touching: touching.get(run.sha) ?? [],
      objects: run.objects,
      clusters: run.clusters.length,
    };
  });
  const mirroredAt = wireTimeOrNull(distances.type === 'told' ? distances.asOf : null);
  const reason = distances.type === 'told' ? null : distances.reason;
  return { commits: commits.toSorted(newestFirst), repository: { key, mirroredAt, reason } };
}

/** Commits after one on its branch, or why that is not known: a mirror without what is offered is older than that, or may be where that is not read. */
function distanceOf(
  { branch, offered, isUnread }: Run,
  told: Distance | undefined,
  held: ReadonlyMap<string, GitCommit>,
): number | LagUnknown {
  if (branch === null) return 'no-branch';
  if (told === undefined) return 'not-told';
  if (told.type === 'unknown') return told.why;
  if (isUnread) return 'offer-not-read';
  return [...offered].some((one) => !held.has(one)) ? 'older-mirror' : told.commits;
}

function newestFirst(a: WireRunningCommit, b: WireRunningCommit): number {
  return (a.behind ?? Infinity) - (b.behind ?? Infinity) || b.objects - a.objects || compareText(a.sha, b.sha) || 0;
}
