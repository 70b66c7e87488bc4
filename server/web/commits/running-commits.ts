import type { WireRunning, WireRunningCommit } from '#lib/api/commit.ts';
import type { LagUnknown } from '#lib/domain/commit/lag.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { GitCommit } from '#server/git/port/shapes.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import type { LinksOf } from '../wire/wire-context.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { commitName } from './commit-name.ts';
import { branchOf } from './fleet-repositories.ts';

const mostRepositories = 20;
/** The commits of a repository that most objects run, so many. */
const mostCommits = 200;

interface Run {
  readonly sha: string;
  branch: string | null;
  objects: number;
  readonly clusters: Set<string>;
  /** Commits that sources offer to objects at it. */
  readonly offered: Set<string>;
}

interface RunOf {
  readonly key: string;
  readonly url: string;
  objects: number;
  readonly runs: Map<string, Run>;
}

/** Commits that objects which are seen run, and how far each is behind the branch that they follow. */
export async function runningCommits(moment: KnownMoment): Promise<WireRunning> {
  const now = moment.now();
  const { links } = moment.context(now);
  const all = collect(moment.fleet.all(now));
  const asked = all.slice(0, mostRepositories);
  const told = await Promise.all(asked.map((one) => ofRepository(moment.git, one, links)));
  const commits = told.flatMap((one) => one.commits);
  const runs = all.reduce((sum, one) => sum + one.runs.size, 0);
  return {
    asOf: wireTime(now),
    commits,
    leftOut: runs - commits.length,
    repositories: told.map(({ repository }) => repository),
  };
}

function collect(clusters: readonly KnownCluster[]): readonly RunOf[] {
  const found = new Map<string, RunOf>();
  const keys = new Map<string, string>();
  for (const { name, objects } of clusters)
    for (const object of objects) {
      const { repository, commit, verdict } = object;
      if (repository === null || commit === null || verdict === 'unobserved') continue;
      let key = keys.get(repository);
      if (key === undefined) keys.set(repository, (key = repositoryKey(repository)));
      let one = found.get(key);
      if (one === undefined) found.set(key, (one = { key, url: repository, objects: 0, runs: new Map() }));
      one.objects += 1;
      take(one.runs, commit, name, object);
    }
  return [...found.values()].toSorted((a, b) => b.objects - a.objects || compareText(a.key, b.key));
}

function take(runs: Map<string, Run>, sha: string, cluster: string, object: CurrentObject): void {
  let run = runs.get(sha);
  if (run === undefined)
    runs.set(sha, (run = { sha, branch: null, objects: 0, clusters: new Set(), offered: new Set() }));
  run.objects += 1;
  run.clusters.add(cluster);
  run.branch ??= branchOf(object);
  const offered = object.commitDiffers ? commitOf(object.revision.offered, object.source?.kind ?? null) : null;
  if (offered !== null) run.offered.add(offered);
}

async function ofRepository(git: GitReader, { key, url, runs }: RunOf, links: LinksOf) {
  const most = [...runs.values()].toSorted((a, b) => b.objects - a.objects || compareText(a.sha, b.sha));
  const shown = most.slice(0, mostCommits);
  const offered = shown.flatMap((run) => [...run.offered]);
  const shas = [...new Set([...shown.map(({ sha }) => sha), ...offered])].slice(0, mostAsked.commits);
  const followed = shown.flatMap(({ sha, branch }) => (branch === null ? [] : [{ sha, branch }]));
  const [named, between] = await Promise.all([
    git.commits(url, shas),
    git.between(
      url,
      followed.map(({ sha, branch }) => ({ path: null, from: sha, to: { type: 'branch' as const, name: branch } })),
    ),
  ]);
  const held = new Map<string, GitCommit>();
  if (named.type === 'told') for (const commit of named.answer) if (commit !== null) held.set(commit.sha, commit);
  const behind = new Map<string, number | LagUnknown>();
  followed.forEach(({ sha }, index) => {
    const answer = between.type === 'told' ? between.answer[index] : undefined;
    if (answer !== undefined) behind.set(sha, answer.type === 'known' ? answer.commits : answer.why);
  });
  const commits = shown.map((run): WireRunningCommit => {
    const commit = held.get(run.sha);
    const distance = distanceOf(run, behind, held);
    return {
      sha: run.sha,
      name: commit === undefined ? null : commitName(commit, url, links),
      repository: key,
      branch: run.branch,
      behind: typeof distance === 'number' ? distance : null,
      why: typeof distance === 'number' ? null : distance,
      objects: run.objects,
      clusters: run.clusters.size,
    };
  });
  const mirroredAt = wireTimeOrNull(between.type === 'told' ? between.asOf : null);
  const reason = between.type === 'told' ? null : between.reason;
  return { commits: commits.toSorted(newestFirst), repository: { key, mirroredAt, reason } };
}

/** Commits after one on its branch, or why that is not known: a mirror without what is offered is older than that. */
function distanceOf(
  { sha, branch, offered }: Run,
  behind: ReadonlyMap<string, number | LagUnknown>,
  held: ReadonlyMap<string, GitCommit>,
): number | LagUnknown {
  if (branch === null) return 'no-branch';
  const told = behind.get(sha) ?? 'not-told';
  if (typeof told === 'number' && [...offered].some((one) => !held.has(one))) return 'older-mirror';
  return told;
}

function newestFirst(a: WireRunningCommit, b: WireRunningCommit): number {
  return (a.behind ?? Infinity) - (b.behind ?? Infinity) || b.objects - a.objects || compareText(a.sha, b.sha) || 0;
}
