import type { WireReport } from '../api/report.ts';
import { gapsOfKind } from '../domain/record/gap.ts';
import type { RecordedGap, Shares } from '../domain/record/figures.ts';
import { segmentsOf } from '../domain/record/segments.ts';
import type { Period, Span } from '../domain/record/span.ts';

/** Number of clusters of which most was not seen that are told of, and number of gaps of each. */
export const unseenClusters = 5;
const gapsOfEach = 5;

/** Part of a span that lies in the period, and part of that which was being observed (ms). */
export function observedTime(
  span: Span,
  gaps: readonly RecordedGap[],
  period: Period,
): { readonly within: number; readonly observed: number } {
  const sum = { within: 0, observed: 0 };
  const onCluster = gaps.filter(({ cluster }) => cluster === span.ref.cluster);
  const ownGaps = gapsOfKind(onCluster, span.ref);
  for (const { from, to, gap } of segmentsOf([span], ownGaps, period)) {
    sum.within += to - from;
    if (gap === null) sum.observed += to - from;
  }
  return span.verdict === 'unobserved' ? { ...sum, observed: 0 } : sum;
}

/** The clusters of which most object time was not seen, the most first. */
export function mostUnseen(clusters: readonly { readonly key: string; readonly shares: Shares }[]): readonly string[] {
  return clusters
    .filter(({ shares }) => shares.unobserved > 0)
    .toSorted((a, b) => b.shares.unobserved - a.shares.unobserved)
    .slice(0, unseenClusters)
    .map(({ key }) => key);
}

/** Where most object time was not seen, with the longest gaps of each cluster, cut to the period. */
export function notSeenOf(
  clusters: readonly { readonly key: string; readonly shares: Shares }[],
  gaps: readonly RecordedGap[],
  period: Period,
): WireReport['notSeen'] {
  const time = new Map(clusters.map(({ key, shares }) => [key, shares.unobserved]));
  return mostUnseen(clusters).map((cluster) => ({
    cluster,
    unobservedMs: time.get(cluster) ?? 0,
    gaps: gaps
      .filter((gap) => gap.cluster === cluster)
      .map((gap) => ({ ...gap, from: Math.max(gap.from, period.from), to: endIn(gap.to, period) }))
      .toSorted((a, b) => (b.to ?? period.to) - b.from - ((a.to ?? period.to) - a.from))
      .slice(0, gapsOfEach)
      .map(({ kind, from, to, state, reason }) => ({
        kind: kind?.kind ?? null,
        from: new Date(from).toISOString(),
        to: to === null ? null : new Date(to).toISOString(),
        state,
        reason,
      })),
  }));
}

/** An end as it stood at the end of the period: what ended later lasted then. */
export function endIn(end: number | null, period: Period): number | null {
  return end === null || end >= period.to ? null : end;
}
