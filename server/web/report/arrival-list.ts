import type { WireArrivalList } from '#lib/api/report.ts';
import { arrivalFigures } from '#lib/report/figures.ts';
import { wirePeriod, wireScope } from '#lib/report/report.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { recordScope, type PeriodQuestion } from './ask-report.ts';

/** The commits that arrived on clusters in a period, the newest first, at most `limit` of them; the figures are over all. */
export async function arrivalList(
  { record, period, scope, asOf, simulated }: PeriodQuestion,
  limit: number,
): Promise<WireArrivalList> {
  const of = recordScope(scope);
  const since = await record.since(of);
  const arrivals = await record.arrivals(of, period, limit);
  return {
    asOf: wireTime(asOf),
    simulated,
    period: wirePeriod(period, period.end, since),
    scope: wireScope(scope),
    recordedSince: wireTimeOrNull(since),
    arrivals: arrivals.map(({ cluster, commit, offeredAt, firstAt, lastAt, objects }) => ({
      cluster,
      commit,
      offeredAt: wireTimeOrNull(offeredAt),
      firstAt: wireTime(firstAt),
      lastAt: wireTime(lastAt),
      objects,
      tookMs: offeredAt === null ? null : Math.max(0, lastAt - offeredAt),
    })),
    spread: arrivalFigures(await record.arrivalTimes(of, period)),
  };
}
