import type { WireTouching } from '#lib/api/commit.ts';
import { type GitReader, type GitRange, mostAsked } from '#server/git/port/git-reader.ts';
import type { Run, RunOnCluster } from './fleet-runs.ts';

/** Commits that run and are behind, each with the commit up to which that was counted. */
type Behind = ReadonlyMap<Run, string>;

/**
 * Commits after one on its branch that touch the paths which are built from at it, by cluster. A cluster of which that is not known of every such
 * path is left out; so are all at a commit for which there is more to ask than there is room for. `most`: questions in all.
 */
export async function touchingOn(
  git: GitReader,
  url: string,
  behind: Behind,
  most: number,
): Promise<ReadonlyMap<string, WireTouching[]>> {
  const ranges = new Map<string, { readonly range: GitRange; readonly upTo: string }>();
  const asked: Run[] = [];
  for (const [run, upTo] of behind) {
    const own = rangesOf(run, Math.min(most, mostAsked.ranges) - ranges.size);
    if (own === null) continue;
    for (const [key, range] of own) ranges.set(key, { range, upTo });
    asked.push(run);
  }
  if (ranges.size === 0) return new Map();
  const told = await git.distances(
    url,
    Array.from(ranges.values(), ({ range }) => range),
  );
  if (told.type === 'not-told') return new Map();
  const numbers = new Map<string, number>();
  for (const [index, [key, { upTo }]] of [...ranges].entries()) {
    const distance = told.answer[index];
    // What was fetched meanwhile counts other commits.
    if (distance?.type === 'known' && distance.to === upTo) numbers.set(key, distance.touching);
  }
  return new Map(asked.map((run) => [run.sha, byNumbers(run, numbers)]));
}

/** The questions of one commit, on the branch that it is counted on; null where they are more than there is room for. */
function rangesOf({ sha, branch: counted, clusters }: Run, room: number): ReadonlyMap<string, GitRange> | null {
  const found = new Map<string, GitRange>();
  for (const { places } of clusters)
    for (const { build, branch, key } of places) {
      if (branch === null || branch !== counted || found.has(key)) continue;
      found.set(key, { path: build, from: sha, to: { type: 'branch', name: branch } });
      if (found.size > room) return null;
    }
  return found;
}

/** Clusters with the same numbers stand together, those first that most touches. */
function byNumbers({ clusters }: Run, numbers: ReadonlyMap<string, number>): WireTouching[] {
  const found = new Map<string, WireTouching>();
  for (const on of clusters) {
    const bounds = boundsOf(on, numbers);
    if (bounds === null) continue;
    const [least, most] = bounds;
    const known = found.get(`${least} ${most}`);
    if (known === undefined) found.set(`${least} ${most}`, { least, most, clusters: [on.cluster] });
    else known.clusters.push(on.cluster);
  }
  return [...found.values()].toSorted((a, b) => b.most - a.most || b.least - a.least);
}

/** The least and the most over the paths of one cluster; null where there is none, or one is not known. */
function boundsOf(
  { places, hasUnknown }: RunOnCluster,
  numbers: ReadonlyMap<string, number>,
): readonly [number, number] | null {
  if (hasUnknown || places.length === 0) return null;
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const { key } of places) {
    const number = numbers.get(key);
    if (number === undefined) return null;
    [least, most] = [Math.min(least, number), Math.max(most, number)];
  }
  return [least, most];
}
