import type { WireArrival, WireArrivalList, WireSpanList } from '#lib/api/report.ts';
import type { Arrival } from '#lib/domain/chain/arrival.ts';
import type { Span } from '#lib/domain/record/span.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { arrivalFigures } from '#lib/report/figures.ts';
import { wirePeriod, wireScope } from '#lib/report/report.ts';
import { observedTime } from '#lib/report/unseen.ts';
import { pagesOf, type RecordPages } from '../history/record-pages.ts';
import { badCursor, type Refused } from '../http/problem.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { recordScope, type PeriodQuestion } from './ask-report.ts';

/** The commits that arrived on clusters in a period, the newest first, at most `limit` of them; the figures are over all. */
export async function arrivalList(question: PeriodQuestion, limit: number): Promise<WireArrivalList> {
  const { record, period, scope } = question;
  const of = recordScope(scope);
  const { list } = await record.arrivals(of, period, limit);
  const spread = arrivalFigures(await record.arrivalTimes(of, period));
  return {
    ...(await frameOf(question)),
    arrivals: spread.count === null ? null : list.map(wireArrival),
    spread,
  };
}

function wireArrival({ cluster, commit, offeredAt, firstAt, lastAt, objects }: Arrival): WireArrival {
  return {
    cluster,
    commit,
    offeredAt: wireTimeOrNull(offeredAt),
    firstAt: wireTime(firstAt),
    lastAt: wireTime(lastAt),
    objects,
    tookMs: offeredAt === null ? null : Math.max(0, lastAt - offeredAt),
  };
}

/** The spans of these verdicts in a period, one page of them, with what of each was observed: added up they are the figure of the report. */
export async function spanList(
  question: PeriodQuestion,
  verdicts: readonly Verdict[],
  page: { readonly cursor: string; readonly limit: number },
): Promise<WireSpanList | Refused> {
  const { record, period, scope } = question;
  const of = recordScope(scope);
  const read: RecordPages<Span>['read'] = (within, cursor, limit) =>
    record.spansIn(within, period, { verdicts, cursor, limit });
  const found = await pagesOf({ scopes: [of], read }, page.cursor, page.limit);
  if (found === null) return badCursor;
  const { items, next } = found;
  const clusters = new Set(items.map(({ ref }) => ref.cluster));
  const gaps = Map.groupBy(await record.gaps([...clusters], period), ({ cluster }) => cluster);
  const [total] = await record.shares(of, period, 'total');
  const seen = verdicts.filter((verdict) => verdict !== 'unobserved');
  return {
    ...(await frameOf(question)),
    spans: items.map((span) => {
      const { within, observed } = observedTime(span, gaps.get(span.ref.cluster) ?? [], period);
      return {
        ref: { ...span.ref },
        verdict: span.verdict,
        from: wireTime(span.from),
        to: wireTimeOrNull(span.to),
        reason: span.reason,
        withinMs: within,
        observedMs: observed,
      };
    }),
    observedMs: seen.reduce((sum, verdict) => sum + (total?.shares[verdict] ?? 0), 0),
    nextCursor: next,
  };
}

/** Fields that both lists have beside their rows. */
async function frameOf({ record, period, scope, asOf, simulated }: PeriodQuestion) {
  const since = await record.since(recordScope(scope));
  return {
    asOf: wireTime(asOf),
    simulated,
    period: wirePeriod(period, period.end, since),
    scope: wireScope(scope),
    recordedSince: wireTimeOrNull(since),
  };
}
