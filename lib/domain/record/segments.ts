import type { Gap } from './gap.ts';
import type { Shares } from './figures.ts';
import type { Period, Span } from './span.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** A stretch in which the same was known of an object: a span's verdict, or `unobserved` in a gap. Half-open, ms since the epoch. */
export interface Segment<S> extends Period {
  readonly verdict: Verdict;
  /** Span that was judged, also where nobody observed it. */
  readonly span: S;
  /** Why it was not being seen; null where it was. */
  readonly gap: Gap | null;
}

type AnySpan = Pick<Span, 'verdict' | 'from' | 'to'>;

/**
 * The spans of one object with the gaps of its cluster and kind laid over, cut to the period, oldest first. Where there is no span
 * the object was not there: no segment. Spans do not overlap each other, nor do gaps (`gapsOf`); both oldest first.
 */
export function segmentsOf<S extends AnySpan>(
  spans: readonly S[],
  gaps: readonly Gap[],
  period: Period,
): readonly Segment<S>[] {
  const segments: Segment<S>[] = [];
  for (const span of spans)
    layGapsOver(span, gaps, period, (gap, from, to) =>
      segments.push({ from, to, verdict: gap === null ? span.verdict : 'unobserved', span, gap }),
    );
  return segments;
}

/** Visits a span cut to a period, piece by piece: in a gap, or seen (null). Gaps do not overlap each other, the oldest first. */
export function layGapsOver(
  span: Pick<Span, 'from' | 'to'>,
  gaps: readonly Gap[],
  period: Period,
  visit: (gap: Gap | null, from: number, to: number) => void,
): void {
  const end = Math.min(span.to ?? Infinity, period.to);
  let at = Math.max(span.from, period.from);
  for (let index = firstAfter(gaps, at); index < gaps.length && at < end; index++) {
    const gap = gaps[index];
    if (gap === undefined || gap.from >= end) break;
    if (gap.from > at) visit(null, at, gap.from);
    const [start, until] = [Math.max(at, gap.from), Math.min(end, gap.to ?? Infinity)];
    if (start < until) visit(gap, start, until);
    at = until;
  }
  if (at < end) visit(null, at, end);
}

/** The index of the first gap that ends after a time. */
function firstAfter(gaps: readonly Gap[], time: number): number {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((gaps[middle]?.to ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Nothing of any verdict. */
export const noShares: Shares = {
  diverged: 0,
  drifted: 0,
  unhealthy: 0,
  stale: 0,
  unobserved: 0,
  suspended: 0,
  behind: 0,
  waiting: 0,
  progressing: 0,
  unconfirmed: 0,
  converged: 0,
};

/** Time for which each verdict lasted (ms). */
export function sharesOf(segments: readonly (Period & { readonly verdict: Verdict })[]): Shares {
  const shares = { ...noShares };
  for (const { from, to, verdict } of segments) shares[verdict] += to - from;
  return shares;
}
