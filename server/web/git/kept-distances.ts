import { LRUCache } from 'lru-cache';
import { buildKey } from '#server/git/port/build-key.ts';
import { minute } from '#lib/domain/time/length.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { boundedMemo } from '#server/runtime/bounded-map.ts';
import type { GitRange, GitReader, Told } from '#server/git/port/git-reader.ts';
import type { Distance, GitCommit, RepositoryState } from '#server/git/port/shapes.ts';

const mostDistances = 60_000;
/** Commits between two do not change; the tags that name one do. */
const keptFor = 10 * minute;

interface Kept {
  readonly distance: Distance;
  /** The fetch that it was told as of (ms). */
  readonly asOf: number;
}

/**
 * The same answers, with distances that were told before given again without a question while the branch stands at the commit up to which they
 * were counted. What is not known is asked again after the next fetch. `now` in ms.
 */
export function keptDistances(git: GitReader, now: () => number): GitReader {
  const book = new LRUCache<string, Kept>({ max: mostDistances, ttl: keptFor, perf: { now }, ttlResolution: 0 });
  const nameOf = boundedMemo(1_000, repositoryKey);

  async function distances(repository: string, ranges: readonly GitRange[]): Promise<Told<readonly Distance[]>> {
    const name = nameOf(repository);
    const states = await git.repositories();
    const state = states.type === 'told' ? states.answer.find(({ key }) => key === name) : undefined;
    const fetchedAt = state?.fetchedAt ?? null;
    if (state === undefined || fetchedAt === null) return git.distances(repository, ranges);
    const tips = new Map(state.branches.map((branch) => [branch.name, branch.sha]));
    const keys = ranges.map((range) => keyOf(name, range, tips));
    const found = keys.map((key) => (key === null ? undefined : stillTrue(book.get(key), fetchedAt)));
    const missing = ranges.filter((_, index) => found[index] === undefined);
    if (missing.length === 0) return { type: 'told', asOf: fetchedAt, answer: found.flatMap((one) => one ?? []) };
    const told = await git.distances(repository, missing);
    if (told.type === 'not-told') return told;
    const commits = new Map<string, GitCommit>();
    const fresh = told.answer.map((distance) => withShared(distance, commits)).values();
    const answer = ranges.flatMap((range, index) => {
      const known = found[index];
      if (known !== undefined) return known;
      const distance = fresh.next().value;
      if (distance === undefined) return [];
      keep(keys[index] ?? null, tipOf(range, tips), { distance, asOf: told.asOf });
      return distance;
    });
    return {
      type: 'told',
      asOf: missing.length === ranges.length ? told.asOf : Math.min(told.asOf, fetchedAt),
      answer,
    };
  }

  /** An answer by a tip that was fetched meanwhile is another question's. */
  function keep(key: string | null, tip: string | undefined, kept: Kept): void {
    if (key !== null && (kept.distance.type === 'unknown' || kept.distance.to === tip)) book.set(key, kept);
  }

  return { ...git, distances };
}

/** null where the state of the mirror does not tell the end: then nothing tells whether an answer still holds. */
function keyOf(repository: string, range: GitRange, tips: ReadonlyMap<string, string>): string | null {
  const tip = tipOf(range, tips);
  const of = range.path === null ? '' : ` ${buildKey(range.path)}`;
  return tip === undefined ? null : `${repository} ${range.from} ${tip}${of}`;
}

function tipOf(
  { to }: GitRange,
  tips: ReadonlyMap<string, string>,
): RepositoryState['branches'][number]['sha'] | undefined {
  return to.type === 'commit' ? to.sha : tips.get(to.name);
}

/** A fetch may bring what was not known; what cannot be read now, and a branch that is not followed yet, need none. */
function stillTrue(kept: Kept | undefined, fetchedAt: number): Distance | undefined {
  if (kept === undefined) return undefined;
  const { distance, asOf } = kept;
  if (distance.type === 'known') return distance;
  const waits = distance.why === 'no-such-commit' || distance.why === 'rewritten' || distance.why === 'too-many';
  return waits && asOf === fetchedAt ? distance : undefined;
}

/** Many ranges have the same oldest commit: it is held once. */
function withShared(distance: Distance, commits: Map<string, GitCommit>): Distance {
  if (distance.type === 'unknown' || distance.oldest === null) return distance;
  const known = commits.get(distance.oldest.sha);
  if (known !== undefined) return { ...distance, oldest: known };
  commits.set(distance.oldest.sha, distance.oldest);
  return distance;
}
