import type { WireSpanList } from '#lib/api/report.ts';
import { observedTime } from '#lib/report/unseen.ts';
import { wirePeriod, wireScope } from '#lib/report/report.ts';
import type { RecordedGap } from '#lib/domain/record/figures.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { pagesOf } from '../history/record-pages.ts';
import { badCursor, type Refused } from '../http/problem.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { recordScope, type PeriodQuestion } from './ask-report.ts';

/** The spans of these verdicts in a period, one page of them, with what of each was observed: added up they are the figure of the report. */
export async function spanList(
  { record, period, scope, asOf, simulated }: PeriodQuestion,
  verdicts: readonly Verdict[],
  page: { readonly cursor: string; readonly limit: number },
): Promise<WireSpanList | Refused> {
  const of = recordScope(scope);
  const since = await record.since(of);
  const found = await pagesOf(
    {
      scopes: [of],
      read: (scopeOf, cursor, limit) => record.spansIn(scopeOf, period, { verdicts, cursor, limit }),
      keeps: () => true,
    },
    page.cursor,
    page.limit,
  );
  if (found === null) return badCursor;
  const { items, next } = found;
  const gaps = new Map<string, readonly RecordedGap[]>();
  for (const { ref } of items)
    if (!gaps.has(ref.cluster)) gaps.set(ref.cluster, await record.gaps(ref.cluster, period));
  const [total] = await record.shares(of, period, 'total');
  const seen = verdicts.filter((verdict) => verdict !== 'unobserved');
  return {
    asOf: wireTime(asOf),
    simulated,
    period: wirePeriod(period, period.end, since),
    scope: wireScope(scope),
    recordedSince: wireTimeOrNull(since),
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
