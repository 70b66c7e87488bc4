import {
  type CommitQuery,
  type WireCommitCluster,
  type WireCommitEnvironment,
  type WireCommitObject,
  type WireCommitPage,
  type WireFateCounts,
} from '#lib/api/commit.ts';
import { wordsOf } from '#lib/api/params.ts';
import { objectPath } from '#lib/api/paths.ts';
import { commitOutcome } from '#lib/api/waiting/commit-outcome.ts';
import { type FateName, fates } from '#lib/domain/commit/fate.ts';
import { commitSentence } from '#lib/draw/wave/commit-sentence.ts';
import { hasArrived, hasCome } from '#lib/draw/wave/wave-cluster.ts';
import { parseTime } from '#lib/format/time.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { parseLabels } from '#lib/domain/matrix/matrix-view.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused, type Refused } from '../http/problem.ts';
import { missingIn } from '../requested/not-there.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { type KnownArrivals, arrivalTimes } from './arrival-times.ts';
import { commitName } from './commit-name.ts';
import { objectsAt } from './build-of.ts';
import { fatesOf, type ObjectFate } from './fates.ts';
import { repositoriesOf } from './fleet-repositories.ts';
import { findCommit } from './found/find-commit.ts';

/** Objects that are listed, of one cluster and of all. */
const mostListed = { each: 500, all: 10_000 } as const;

/** One commit across the fleet as it is known now. Refused where no mirror holds it, or its digits are those of several. */
export async function commitPage(moment: KnownMoment, query: CommitQuery): Promise<WireCommitPage | Refused> {
  const now = moment.now();
  const { cluster, label } = query;
  const all = moment.fleet.all(now);
  const missing = missingIn(all, { cluster, label });
  if (missing !== null) return missing;
  const found = await findCommit(moment, query.sha);
  if (isRefused(found)) return found;
  const { commit, repositories, url, asOf } = found;
  const [key = ''] = repositories;
  const clusters = all.filter((one) => isAsked(one, query));
  const built = repositoriesOf(clusters).filter((one) => repositories.includes(one.key));
  const find = objectsAt(moment, now);
  const [fates, files, times, branches] = await Promise.all([
    Promise.all(built.map((one) => fatesOf(moment.git, one.key, commit.sha, one.objects, find))),
    moment.git.files(key, commit.sha),
    arrivalTimes({ git: moment.git, store: moment.reader(), now }, repositories, commit),
    branchesWith(moment, key, commit.sha),
  ]);
  const concerned = fates.flat();
  const subjects = await subjectsOf(moment, repositories, concerned);
  const shown = shownFates(concerned, query);
  const lines = clusterLines(clusters, shown, times, subjects);
  const { links } = moment.context(now);
  const counts = countsOf(concerned.map(({ fate }) => fate.state));
  return {
    asOf: wireTime(now),
    commit: commitName(commit, built.find((one) => one.key === key)?.url ?? url, links),
    url,
    mirroredAt: wireTime(asOf),
    files: files.type === 'told' ? files.answer : null,
    branches,
    outcome: commitOutcome(counts),
    sentence: sentenceOf(lines, now),
    counts,
    clusters: lines,
    environments: environmentsOf(lines),
  };
}

function isAsked({ name, labels }: KnownCluster, { cluster, label }: CommitQuery): boolean {
  const names = wordsOf(cluster);
  const wanted = parseLabels(label) ?? [];
  return (names.length === 0 || names.includes(name)) && wanted.every(([key, value]) => labels[key] === value);
}

/** The branches of those that are followed that hold a commit. */
async function branchesWith({ git }: KnownMoment, key: string, sha: string): Promise<string[]> {
  const told = await git.repositories();
  const state = told.type === 'told' ? told.answer.find((one) => one.key === key) : undefined;
  const names = (state?.branches ?? []).map(({ name }) => name).slice(0, 20);
  const held = await git.onBranch(
    key,
    names.map((branch) => ({ sha, branch })),
  );
  return held.type === 'told' ? names.filter((_, index) => held.answer[index] === true) : [];
}

/** Subjects of the commits by which others are superseded. */
async function subjectsOf(
  { git }: KnownMoment,
  repositories: readonly string[],
  concerned: readonly ObjectFate[],
): Promise<ReadonlyMap<string, string>> {
  const shas = [...new Set(concerned.flatMap(({ fate }) => fate.by ?? []))].slice(0, 100);
  if (shas.length === 0) return new Map();
  const told = await Promise.all(repositories.map((key) => git.commits(key, shas)));
  const commits = told.flatMap((one) => (one.type === 'told' ? one.answer.filter((commit) => commit !== null) : []));
  return new Map(commits.map(({ sha, subject }) => [sha, subject]));
}

function shownFates(concerned: readonly ObjectFate[], { state }: CommitQuery): readonly ObjectFate[] {
  const states: ReadonlySet<string> = new Set(wordsOf(state));
  return concerned.filter(({ fate }) => (states.size === 0 ? fate.state !== 'not-concerned' : states.has(fate.state)));
}

function rank(state: FateName): number {
  return fates.indexOf(state);
}

function clusterLines(
  clusters: readonly KnownCluster[],
  shown: readonly ObjectFate[],
  { times, notKnown }: KnownArrivals,
  subjects: ReadonlyMap<string, string>,
): WireCommitCluster[] {
  const byCluster = Map.groupBy(shown, ({ object }) => object.ref.cluster);
  const most = Math.max(1, Math.min(mostListed.each, Math.floor(mostListed.all / Math.max(1, byCluster.size))));
  const lines = clusters.flatMap(({ name, labels }): WireCommitCluster[] => {
    const here = (byCluster.get(name) ?? []).toSorted(
      (a, b) => rank(a.fate.state) - rank(b.fate.state) || compareText(a.object.ref.name, b.object.ref.name),
    );
    const [worst] = here;
    if (worst === undefined) return [];
    const isOpen = here.some(({ fate }) => fate.state !== 'not-concerned' && !hasCome(fate));
    const came = times.get(name);
    // Objects that it does not touch arrive too, and may have done so before those that it does.
    const isThere = here.some(({ fate }) => hasCome(fate));
    return [
      {
        cluster: name,
        environment: labels['environment'] ?? '',
        state: worst.fate.state,
        why: worst.fate.why,
        since: sinceOf(worst.object),
        offeredAt: wireTimeOrNull(came?.offeredAt ?? null),
        firstAt: wireTimeOrNull(isThere ? (came?.firstAt ?? null) : null),
        lastAt: wireTimeOrNull(isOpen ? null : (came?.lastAt ?? null)),
        notKnown: notKnown(name),
        objects: listed(here, most).map((one) => wireFate(one, subjects)),
        counts: countsOf(here.map(({ fate }) => fate.state)),
      },
    ];
  });
  return lines.toSorted((a, b) => rank(a.state) - rank(b.state) || compareText(a.cluster, b.cluster));
}

/** The first of each state, where there are too many: the ones to look at first are most of them, and each state has some. */
function listed(here: readonly ObjectFate[], most: number): readonly ObjectFate[] {
  if (here.length <= most) return here;
  const groups = [...Map.groupBy(here, ({ fate }) => fate.state).values()];
  const share = Math.max(1, Math.floor(most / groups.length));
  return groups.flatMap((group) => group.slice(0, share));
}

function sinceOf({ awaySince }: CurrentObject): string | null {
  return wireTimeOrNull(awaySince?.time ?? null);
}

function wireFate({ object, fate }: ObjectFate, subjects: ReadonlyMap<string, string>): WireCommitObject {
  const { state, why, by } = fate;
  const { cluster, group, kind, namespace, name } = object.ref;
  return {
    ref: { cluster, group, kind, namespace, name },
    href: objectPath(object.ref),
    state,
    verdict: object.verdict,
    why,
    since: sinceOf(object),
    by: by === null ? null : { sha: by, subject: subjects.get(by) ?? null },
  };
}

function countsOf(states: readonly FateName[]): WireFateCounts {
  const counts: WireFateCounts = {
    stuck: 0,
    'failed-later': 0,
    unknown: 0,
    'on-its-way': 0,
    superseded: 0,
    converged: 0,
    'not-concerned': 0,
  };
  for (const state of states) counts[state] += 1;
  return counts;
}

function sentenceOf(clusters: readonly WireCommitCluster[], now: number): string {
  const standing = clusters.flatMap(({ cluster, state, why, since }) =>
    state === 'not-concerned' ? [] : [{ cluster, state, why, since: since === null ? null : parseTime(since) }],
  );
  const counts = { stuck: 0, 'failed-later': 0, unknown: 0, 'on-its-way': 0, superseded: 0, converged: 0 };
  for (const { state } of standing) counts[state] += 1;
  return commitSentence({ counts, clusters: standing }, now)
    .map(({ text }) => text)
    .join('');
}

/** Environments in the order in which it came to them; those to which it has not come last. */
function environmentsOf(clusters: readonly WireCommitCluster[]): WireCommitEnvironment[] {
  const groups = Map.groupBy(clusters, ({ environment }) => environment);
  const each = [...groups].map(([environment, of]): WireCommitEnvironment => {
    const arrived = of.filter(hasArrived);
    // One of which nothing is known may have been the first.
    const isKnown = of.every(({ notKnown }) => notKnown === null);
    const firsts = isKnown ? of.flatMap(({ firstAt }) => firstAt ?? []).toSorted() : [];
    const lasts = of.flatMap(({ lastAt }) => lastAt ?? []).toSorted();
    const isWhole = of.every(hasCome) && lasts.length === of.length;
    return {
      environment,
      clusters: of.length,
      arrived: arrived.length,
      firstAt: firsts[0] ?? null,
      lastAt: isWhole ? (lasts.at(-1) ?? null) : null,
    };
  });
  return each.toSorted(
    (a, b) => compareText(a.firstAt ?? '~', b.firstAt ?? '~') || compareText(a.environment, b.environment),
  );
}
