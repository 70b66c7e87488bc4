import type { CommitArrivalsQuery, WireCommitArrival, WireCommitArrivals } from '#lib/api/git/commit-arrivals.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused, type Refused } from '../http/problem.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { arrivalTimes } from './arrival-times.ts';
import { commitName } from './commit-name.ts';
import { findCommit } from './found/find-commit.ts';
import { repositoriesOf } from './fleet-repositories.ts';

/**
 * The arrivals of a commit as they were recorded by a moment, the only thing that the record tells of one at a past moment: which commit an object
 * ran is kept with changes of its verdict alone. Refused where no mirror holds it, or its digits are those of several.
 */
export async function arrivalsBy(
  moment: KnownMoment,
  { sha }: CommitArrivalsQuery,
): Promise<WireCommitArrivals | Refused> {
  const now = moment.now();
  const found = await findCommit(moment, sha);
  if (isRefused(found)) return found;
  const { commit, repositories, url } = found;
  const built = repositoriesOf(moment.fleet.all(now)).filter(({ key }) => repositories.includes(key));
  const { times, notKnown } = await arrivalTimes(
    { git: moment.git, store: moment.reader(), now },
    repositories,
    commit,
  );
  const there = built.flatMap(({ objects }) => objects.map(({ ref }) => ref.cluster));
  const rows = [...new Set([...times.keys(), ...there])].map((cluster): WireCommitArrival => {
    const { offeredAt, firstAt, lastAt } = times.get(cluster) ?? { offeredAt: null, firstAt: null, lastAt: null };
    return {
      cluster,
      offeredAt: wireTimeOrNull(offeredAt),
      firstAt: wireTimeOrNull(firstAt),
      lastAt: wireTimeOrNull(lastAt),
      notKnown: notKnown(cluster),
    };
  });
  return {
    asOf: wireTime(now),
    commit: commitName(commit, built.find(({ key }) => key === repositories[0])?.url ?? url, moment.context(now).links),
    isLater: commit.committedAt > now,
    clusters: rows.toSorted(
      (a, b) => Number(!isRecorded(a)) - Number(!isRecorded(b)) || compareText(a.cluster, b.cluster),
    ),
  };
}

function isRecorded({ offeredAt, firstAt }: WireCommitArrival): boolean {
  return offeredAt !== null || firstAt !== null;
}
