import type { Gap } from '#lib/domain/record/gap.ts';
import { segmentsOf } from '#lib/domain/record/segments.ts';
import type { Period, Span } from '#lib/domain/record/span.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { Stretch } from '#lib/draw/timeline/timeline.ts';

/** A state of one object for a time (ms), with the span behind it: null where it was not seen, or is known otherwise now. */
export interface ObjectStretch extends Stretch {
  readonly span: Span | null;
  /** Why it was not seen; null where it was. */
  readonly blind: string | null;
}

/** Record of one object. Times in ms. */
export interface ObjectRecord {
  /** Its spans that overlap the period, oldest first. */
  readonly spans: readonly Span[];
  /** When its kind was not being seen: `gapsOfKind`. */
  readonly gaps: readonly Gap[];
  /** Since when there is a record of its cluster; null where there is none. */
  readonly since: number | null;
  /** The verdict as known now and since when; null where nothing is. */
  readonly present: { readonly verdict: Verdict; readonly since: number } | null;
}

/**
 * One object over the period, oldest first and without holes: before the record nothing is recorded, between its spans it was not
 * there, where nobody looked it is unobserved, and where its last word has outlived its proof the period ends as it is known now.
 */
export function objectStretches(record: ObjectRecord, period: Period): readonly ObjectStretch[] {
  const segments = segmentsOf(withPresent(record, period.to), record.gaps, period);
  const stretches: ObjectStretch[] = [];
  const since = Math.min(record.since ?? period.to, segments[0]?.from ?? period.to);
  let end = period.from;
  const blankUntil = (to: number): void => {
    const recorded = Math.min(Math.max(since, end), to);
    if (recorded > end) stretches.push({ from: end, to: recorded, state: 'not-recorded', span: null, blind: null });
    if (to > recorded) stretches.push({ from: recorded, to, state: 'absent', span: null, blind: null });
  };
  for (const { from, to, verdict, span, gap } of segments) {
    blankUntil(from);
    end = to;
    const last = stretches.at(-1);
    const blind = gap === null ? null : (gap.reason ?? gap.state);
    // Not seen from one span into the next is one time in which it was not seen.
    if (last !== undefined && last.to === from && blind !== null && last.blind === blind)
      stretches[stretches.length - 1] = { ...last, to };
    else stretches.push({ from, to, state: verdict, span: gap === null ? span.recorded : null, blind });
  }
  blankUntil(period.to);
  return stretches;
}

interface RecordedSpan extends Pick<Span, 'from' | 'to' | 'verdict'> {
  readonly recorded: Span | null;
}

/** The spans, the last of them cut where the object is known to be in another verdict by `to`. */
function withPresent({ spans, present }: ObjectRecord, to: number): readonly RecordedSpan[] {
  const recorded = spans.map((span): RecordedSpan => ({
    from: span.from,
    to: span.to,
    verdict: span.verdict,
    recorded: span,
  }));
  const last = recorded.at(-1);
  if (last === undefined || present === null || present.verdict === last.verdict) return recorded;
  if (last.to !== null && last.to < to) return recorded;
  const from = Math.max(present.since, last.from);
  return [
    ...recorded.slice(0, -1),
    { ...last, to: from },
    { from, to: null, verdict: present.verdict, recorded: null },
  ];
}
