import { type BuildPath, buildKey } from '#lib/domain/commit/build-path.ts';
import type { Lag, LagUnknown } from '#lib/domain/commit/lag.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { Between, GitCommit } from '#server/git/port/shapes.ts';
import { buildsBy, type Find } from './build-of.ts';
import { branchOf } from './fleet-repositories.ts';

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
 * Distances of objects that are built from the repository at `url` behind their branches. A mirror that is older than what is offered knows
 * nothing. `find`: any object of the fleet, for their sources.
 */
export async function lagsOf(
  git: GitReader,
  url: string,
  objects: readonly CurrentObject[],
  find: Find,
): Promise<Lags> {
  const buildOf = buildsBy(find);
  const rangeOf = (object: CurrentObject): RangeOf => rangeBy(object, buildOf(object).build);
  const ranges = new Map<string, Range>();
  for (const object of objects) {
    const range = rangeOf(object);
    if (range.type === 'known') ranges.set(keyOf(range.range), range.range);
  }
  const [between, unheld] = await Promise.all([askBetween(git, url, ranges), notHeld(git, url, objects)]);
  const lags = objects.map((object): ObjectLag => {
    const range = rangeOf(object);
    if (range.type === 'unknown') return unknown(object, range.why, branchOf(object));
    const { branch } = range.range;
    const offered = offeredOf(object);
    if (offered !== null && unheld.has(offered)) return unknown(object, 'older-mirror', branch);
    const found = between.answers.get(keyOf(range.range));
    if (found === undefined) return unknown(object, 'not-told', branch);
    if (found.type === 'unknown') return unknown(object, found.why, branch);
    const { commits, touchingCount, oldest } = found;
    const oldestAt = oldest?.committedAt ?? null;
    return { object, oldest, lag: { type: 'known', branch, commits, touching: touchingCount, oldestAt } };
  });
  return { lags, mirroredAt: between.asOf, reason: between.reason };
}

function unknown(object: CurrentObject, why: LagUnknown, branch: string | null): ObjectLag {
  return { object, oldest: null, lag: { type: 'unknown', why, branch } };
}

type RangeOf =
  | { readonly type: 'known'; readonly range: Range }
  | { readonly type: 'unknown'; readonly why: LagUnknown };

function rangeBy(object: CurrentObject, build: BuildPath | null): RangeOf {
  const { commit, verdict } = object;
  // What is not seen may run another commit by now.
  if (commit === null || build === null || verdict === 'unobserved') return { type: 'unknown', why: 'not-seen' };
  const branch = branchOf(object);
  return branch === null
    ? { type: 'unknown', why: 'no-branch' }
    : { type: 'known', range: { build, from: commit, branch } };
}

function keyOf({ build, from, branch }: Range): string {
  return `${from} ${branch}\n${buildKey(build)}`;
}

/** The commit that its source offers, where that is another one than runs. */
function offeredOf({ revision, source, commit }: CurrentObject): string | null {
  const offered = commitOf(revision.offered, source?.kind ?? null);
  return offered === commit ? null : offered;
}

/** Commits that sources offer and the mirror does not hold. */
async function notHeld(git: GitReader, url: string, objects: readonly CurrentObject[]): Promise<ReadonlySet<string>> {
  const offered = [...new Set(objects.flatMap((object) => offeredOf(object) ?? []))];
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

async function askBetween(git: GitReader, url: string, ranges: ReadonlyMap<string, Range>) {
  const answers = new Map<string, Between>();
  const all = [...ranges];
  let asOf: number | null = null;
  let reason: string | null = null;
  for (let at = 0; at < all.length; at += mostAsked.ranges) {
    const asked = all.slice(at, at + mostAsked.ranges);
    const told = await git.between(
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
