import type { Arrival } from '#lib/domain/chain/arrival.ts';
import { day } from '#lib/domain/time/length.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { StoreReader } from '#server/store/port/port.ts';

/** When a commit, or a later one that holds it, came to a cluster (ms); null where it has not, or that is not known. */
export interface ArrivalTimes {
  readonly offeredAt: number | null;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/** So long after it was made a commit is looked for. What comes later comes with others. */
const soughtFor = 14 * day;
const mostArrivals = 5_000;

/** When a commit came to each cluster, as the record has it; nothing where the record cannot be read, or holds too many arrivals to tell the first. */
export async function arrivalTimes(
  { git, store, now }: { readonly git: GitReader; readonly store: StoreReader | null; readonly now: number },
  url: string,
  { sha, committedAt }: { readonly sha: string; readonly committedAt: number },
): Promise<ReadonlyMap<string, ArrivalTimes>> {
  // The clock of who committed may be ahead.
  const period = { from: Math.min(committedAt, now) - day, to: Math.min(now, committedAt + soughtFor) + 1 };
  const arrivals = await store?.record.arrivals({ clusters: null }, period, mostArrivals).catch(() => null);
  if (!arrivals || arrivals.length >= mostArrivals) return new Map();
  const commits = [...new Set(arrivals.map(({ commit }) => commit))].slice(-mostAsked.commits);
  const told = await git.contain(url, sha, commits);
  if (told.type === 'not-told') return new Map();
  const holds = new Map(commits.map((commit, index) => [commit, told.answer[index] ?? null]));
  const times = new Map<string, ArrivalTimes>();
  for (const arrival of arrivals) if (holds.get(arrival.commit) === true) take(times, arrival);
  const watched = (cluster: string, before: number): boolean =>
    arrivals.some((one) => one.cluster === cluster && one.firstAt < before && holds.get(one.commit) === false);
  const own = new Set(arrivals.flatMap(({ cluster, commit }) => (commit === sha ? [cluster] : [])));
  // A later commit tells when this one came only where an older one was seen to come before: else it may have come unseen.
  for (const [cluster, { firstAt }] of times)
    if (!own.has(cluster) && !watched(cluster, firstAt ?? now)) times.delete(cluster);
  return times;
}

/** The first arrival of a commit that holds it is its own. */
function take(times: Map<string, ArrivalTimes>, { cluster, offeredAt, firstAt, lastAt }: Arrival): void {
  const known = times.get(cluster);
  if (known?.firstAt === null || known === undefined || firstAt < known.firstAt)
    times.set(cluster, { offeredAt, firstAt, lastAt });
}
