import type { Arrival } from '#lib/domain/chain/arrival.ts';
import type { TimesNotKnown } from '#lib/api/git/times-not-known.ts';
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

/** When a commit came to clusters. */
export interface KnownArrivals {
  readonly times: ReadonlyMap<string, ArrivalTimes>;
  /** Why nothing is known of a cluster; null where what is recorded is told. */
  notKnown(cluster: string): TimesNotKnown | null;
}

const notRead: KnownArrivals = { times: new Map(), notKnown: () => 'not-read' };

/**
 * When a commit came to each cluster, as the record had it at `now` (ms); not known where the record or the mirror cannot be read, or there are too many
 * arrivals to tell the first. `repositories`: keys of all that hold it.
 */
export async function arrivalTimes(
  { git, store, now }: { readonly git: GitReader; readonly store: StoreReader | null; readonly now: number },
  repositories: readonly string[],
  { sha, committedAt }: { readonly sha: string; readonly committedAt: number },
): Promise<KnownArrivals> {
  // The clock of who committed may be ahead.
  // At a past moment one that went on later is found by when it ended.
  const period = { from: Math.min(committedAt, now) - day, to: committedAt + soughtFor + 1 };
  const found = await store?.record.arrivals({ clusters: null }, period, mostArrivals).catch(() => null);
  if (!found || found.list.length >= mostArrivals) return notRead;
  const arrivals = found.list.flatMap((arrival) => knownBy(arrival, now) ?? []);
  const commits = [...new Set(arrivals.map(({ commit }) => commit))].slice(-mostAsked.commits);
  const told = await Promise.all(repositories.map((key) => git.contain(key, sha, commits)));
  const answers = told.flatMap((one) => (one.type === 'told' ? [one.answer] : []));
  if (answers.length === 0) return notRead;
  const holds = new Map(
    commits.map((commit, index) => [commit, heldIn(answers.map((answer) => answer[index] ?? null))]),
  );
  const times = new Map<string, ArrivalTimes>();
  for (const arrival of arrivals) if (holds.get(arrival.commit) === true) take(times, arrival);
  const watched = (cluster: string, before: number): boolean =>
    arrivals.some((one) => one.cluster === cluster && (one.firstAt ?? now) < before && holds.get(one.commit) === false);
  const own = new Set(arrivals.flatMap(({ cluster, commit }) => (commit === sha ? [cluster] : [])));
  // A later commit tells when this one came only where an older one was seen to come before: else it may have come unseen.
  for (const [cluster, { firstAt }] of times)
    if (!own.has(cluster) && !watched(cluster, firstAt ?? now)) times.delete(cluster);
  const partly = new Set(found.partly);
  return { times, notKnown: (cluster) => (partly.has(cluster) ? 'part-of-cluster' : null) };
}

/** True if any of some repositories has one commit in the history of another; null where none knows both. */
function heldIn(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(true)) return true;
  return answers.includes(false) ? false : null;
}

type KnownArrival = Pick<Arrival, 'cluster' | 'commit'> & ArrivalTimes;

/** An arrival as it was known at a moment (ms); null where nothing was. */
function knownBy({ cluster, commit, offeredAt, firstAt, lastAt }: Arrival, at: number): KnownArrival | null {
  const known = (time: number | null): number | null => (time !== null && time <= at ? time : null);
  const times = { offeredAt: known(offeredAt), firstAt: known(firstAt), lastAt: known(lastAt) };
  return times.offeredAt === null && times.firstAt === null ? null : { cluster, commit, ...times };
}

/** The first arrival of a commit that holds it is its own; one that is only offered comes after all that have arrived. */
function take(times: Map<string, ArrivalTimes>, { cluster, offeredAt, firstAt, lastAt }: KnownArrival): void {
  const known = times.get(cluster);
  if (known === undefined || orderOf({ offeredAt, firstAt, lastAt }) < orderOf(known))
    times.set(cluster, { offeredAt, firstAt, lastAt });
}

function orderOf({ firstAt }: ArrivalTimes): number {
  return firstAt ?? Number.POSITIVE_INFINITY;
}
