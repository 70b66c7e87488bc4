import type { Beyond } from '#lib/domain/commit/beyond.ts';
import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { buildKey } from '#server/git/port/build-key.ts';
import type { Lag, LagUnknown } from '#lib/domain/commit/lag.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { Distance, GitCommit } from '#server/git/port/shapes.ts';
import { buildsBy, type Find, type ObjectBuild } from '../build-of.ts';
import { whyBeyond } from '../built-from.ts';
import { branchOf } from '../fleet-repositories.ts';

/** An object with its lag, and the oldest commit that touches it and has not arrived. */
export interface ObjectLag {
  readonly object: CurrentObject;
  readonly lag: Lag;
  readonly oldest: GitCommit | null;
}

/** Lags of objects of one repository; as of which fetch (ms), or why git tells nothing. */
export interface Lags {
  readonly lags: readonly ObjectLag[];
  readonly mirroredAt: number | null;
  readonly reason: string | null;
}

interface Range {
  readonly build: BuildPath;
  readonly from: string;
  readonly branch: string;
}

/**
 * Distances of objects that are built from the repository at `url` behind their branches. A mirror that is older than what is offered, or may be,
 * knows nothing. `find`: any object of the fleet, for their sources.
 */
export async function lagsOf(
  git: GitReader,
  url: string,
  objects: readonly CurrentObject[],
  find: Find,
): Promise<Lags> {
  const buildOf = buildsBy(find);
  const asked = objects.map((object) => ({
    object,
    range: rangeBy(object, buildOf(object)),
    offered: offeredOf(object),
  }));
  const ranges = new Map(
    asked.flatMap(({ range }) => (range.type === 'known' ? [[range.key, range.range] as const] : [])),
  );
  const offers = new Set(asked.flatMap(({ offered }) => offered ?? []));
  const [distances, unheld] = await Promise.all([askDistances(git, url, ranges), notHeld(git, url, [...offers])]);
  const lags = asked.map(({ object, range, offered }): ObjectLag => {
    if (range.type === 'unknown') return unknown(object, range.why, branchOf(object));
    const { branch } = range.range;
    if (object.commitDiffers === 'unknown') return unknown(object, 'offer-not-read', branch);
    if (offered !== null && unheld.has(offered)) return unknown(object, 'older-mirror', branch);
    const found = distances.answers.get(range.key);
    if (found === undefined) return unknown(object, 'not-told', branch);
    if (found.type === 'unknown') return unknown(object, found.why, branch);
    return known(object, found, range.beyond, branch);
  });
  return { lags, mirroredAt: distances.asOf, reason: distances.reason };
}

/** Of those that do not touch the path it is not known whether they touch an object that builds from more. */
function known(
  object: CurrentObject,
  { commits, touching, oldest }: Distance & { readonly type: 'known' },
  beyond: Beyond | null,
  branch: string,
): ObjectLag {
  const mayBeMore = beyond !== null && touching < commits;
  if (mayBeMore && touching === 0) return unknown(object, beyond, branch);
  const oldestAt = oldest?.committedAt ?? null;
  return { object, oldest, lag: { type: 'known', branch, commits, touching, atLeast: mayBeMore, oldestAt } };
}

function unknown(object: CurrentObject, why: LagUnknown, branch: string | null): ObjectLag {
  return { object, oldest: null, lag: { type: 'unknown', why, branch } };
}

type RangeOf =
  | { readonly type: 'known'; readonly key: string; readonly range: Range; readonly beyond: Beyond | null }
  | { readonly type: 'unknown'; readonly why: LagUnknown };

function rangeBy(object: CurrentObject, { build, source }: ObjectBuild): RangeOf {
  const { commit, verdict } = object;
  // What is not seen may run another commit by now.
  if (commit === null || build === null || verdict === 'unobserved') return { type: 'unknown', why: 'not-seen' };
  const branch = branchOf(object);
  if (branch === null) return { type: 'unknown', why: 'no-branch' };
  const key = `${commit} ${branch}\n${buildKey(build)}`;
  return { type: 'known', key, range: { build, from: commit, branch }, beyond: whyBeyond(object, source) };
}

/** The commit that its source offers, where that is another one than runs. */
function offeredOf({ revision, source, commit }: CurrentObject): string | null {
  const offered = commitOf(revision.offered, source?.kind ?? null);
  return offered === commit ? null : offered;
}

/** Those of some commits that the mirror does not hold. */
async function notHeld(git: GitReader, url: string, offered: readonly string[]): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (let from = 0; from < offered.length; from += mostAsked.commits) {
    const asked = offered.slice(from, from + mostAsked.commits);
    const told = await git.commits(url, asked);
    asked.forEach((sha, index) => {
      if (told.type === 'not-told' || (told.answer[index] ?? null) === null) missing.add(sha);
    });
  }
  return missing;
}

async function askDistances(git: GitReader, url: string, ranges: ReadonlyMap<string, Range>) {
  const answers = new Map<string, Distance>();
  const all = [...ranges];
  let asOf: number | null = null;
  let reason: string | null = null;
  for (let at = 0; at < all.length; at += mostAsked.ranges) {
    const asked = all.slice(at, at + mostAsked.ranges);
    const told = await git.distances(
      url,
      asked.map(([, { build, from, branch }]) => ({
        path: build,
        from,
        to: { type: 'branch' as const, name: branch },
      })),
    );
    if (told.type === 'not-told') {
      reason = told.reason;
      continue;
    }
    asOf = Math.min(asOf ?? told.asOf, told.asOf);
    asked.forEach(([key], index) => {
      const answer = told.answer[index];
      if (answer !== undefined) answers.set(key, answer);
    });
  }
  return { answers, asOf, reason };
}
