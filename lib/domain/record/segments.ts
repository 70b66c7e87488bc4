import type { Gap } from './gap.ts';
import type { Shares } from './figures.ts';
import type { Period, Span } from './span.ts';
import { verdicts, type Verdict } from '../verdict/verdict.ts';

/** A stretch in which the same was known of an object: a span's verdict, or `unobserved` in a gap. Half-open, ms since the epoch. */
export interface Segment<S> extends Period {
  readonly verdict: Verdict;
  /** What was judged, also where nobody looked. */
  readonly span: S;
  /** Why it was not being seen; null where it was. */
  readonly gap: Gap | null;
}

/** A stretch of one verdict, whatever it is made of. */
export interface Stretch extends Period {
  readonly verdict: Verdict;
  /** How many segments it is made of. */
  readonly count: number;
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
  function put(span: S, gap: Gap | null, from: number, to: number): void {
    if (from < to) segments.push({ from, to, verdict: gap === null ? span.verdict : 'unobserved', span, gap });
  }
  for (const span of spans) {
    const end = Math.min(span.to ?? Infinity, period.to);
    let at = Math.max(span.from, period.from);
    for (const gap of gaps) {
      if (gap.from >= end) break;
      if ((gap.to ?? Infinity) <= at) continue;
      put(span, null, at, gap.from);
      put(span, gap, Math.max(at, gap.from), Math.min(end, gap.to ?? Infinity));
      at = Math.max(at, gap.to ?? Infinity);
    }
    put(span, null, at, end);
  }
  return segments;
}

/** Neighbours of one verdict that touch, as one. */
export function mergeSegments(segments: readonly (Period & { readonly verdict: Verdict })[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const { from, to, verdict } of segments) {
    const last = stretches.at(-1);
    if (last?.verdict === verdict && last.to === from)
      stretches[stretches.length - 1] = { ...last, to, count: last.count + 1 };
    else stretches.push({ from, to, verdict, count: 1 });
  }
  return stretches;
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

/** How long each verdict lasted (ms). */
export function sharesOf(segments: readonly (Period & { readonly verdict: Verdict })[]): Shares {
  const shares = { ...noShares };
  for (const { from, to, verdict } of segments) shares[verdict] += to - from;
  return shares;
}

/** Both together. */
export function addShares(a: Shares, b: Shares): Shares {
  const sum = { ...a };
  for (const verdict of verdicts) sum[verdict] += b[verdict];
  return sum;
}
