import type { WireGap, WireObject, WireTransition } from '#lib/api/object.ts';
import type { StripSpan } from '#lib/draw/strip.ts';
import { parseTime } from '#lib/format/time.ts';

/**
 * What the record tells of one object up to `now` (ms), oldest first and without holes: before its first word nothing is
 * recorded, and where the verdict as known now is another than the last recorded (its proof has run out), it holds from
 * its onset on. Transitions in any order.
 */
export function spansOf(
  transitions: readonly WireTransition[],
  object: Pick<WireObject, 'verdict' | 'onset'>,
  now: number,
): readonly StripSpan[] {
  const changes = transitions
    .flatMap(({ at, to }) => {
      const time = parseTime(at);
      return time === null ? [] : [{ time, state: to ?? ('absent' as const) }];
    })
    .toSorted((a, b) => a.time - b.time);
  const onset = parseTime(object.onset.time) ?? now;
  const last = changes.at(-1);
  if (last?.state !== object.verdict)
    changes.push({ time: Math.max(onset, last?.time ?? onset), state: object.verdict });
  const first = changes[0]?.time ?? now;
  const spans: StripSpan[] = [{ from: Number.NEGATIVE_INFINITY, to: Math.min(first, now), state: 'not-recorded' }];
  changes.forEach(({ time, state }, index) => {
    const end = changes[index + 1]?.time ?? now;
    spans.push({ from: Math.min(time, now), to: Math.max(time, Math.min(end, now)), state });
  });
  return spans;
}

/** The spans with every gap laid over what was recorded: while nobody looked nothing is known to have been so. `now` in ms. */
export function withGaps(
  spans: readonly StripSpan[],
  gaps: readonly Pick<WireGap, 'from' | 'to'>[],
  now: number,
): readonly StripSpan[] {
  let laid = spans;
  for (const gap of gaps) {
    const from = parseTime(gap.from);
    const to = gap.to === null ? now : (parseTime(gap.to) ?? now);
    if (from !== null && from < to) laid = laid.flatMap((span) => cut(span, from, Math.min(to, now)));
  }
  return laid.reduce<StripSpan[]>((joined, span) => {
    const last = joined.at(-1);
    if (last?.state === span.state) joined[joined.length - 1] = { ...last, to: span.to };
    else joined.push(span);
    return joined;
  }, []);
}

function cut(span: StripSpan, from: number, to: number): readonly StripSpan[] {
  if (span.state === 'not-recorded' || to <= span.from || from >= span.to) return [span];
  const parts: readonly StripSpan[] = [
    { from: span.from, to: from, state: span.state },
    { from: Math.max(span.from, from), to: Math.min(span.to, to), state: 'unobserved' },
    { from: to, to: span.to, state: span.state },
  ];
  return parts.filter((part) => part.to > part.from);
}

/** Shares of a period: how much of it is recorded, was seen, and was converged. */
export interface Shares {
  readonly recorded: number;
  readonly seen: number;
  /** Of what was seen; null where nothing was. */
  readonly converged: number | null;
}

/** The shares of the time from `from` to `to` (ms). */
export function sharesOf(spans: readonly StripSpan[], from: number, to: number): Shares {
  const whole = to - from;
  let recorded = 0;
  let seen = 0;
  let converged = 0;
  for (const span of spans) {
    const length = Math.max(0, Math.min(span.to, to) - Math.max(span.from, from));
    if (span.state === 'not-recorded') continue;
    recorded += length;
    if (span.state === 'unobserved' || span.state === 'absent') continue;
    seen += length;
    if (span.state === 'converged') converged += length;
  }
  return { recorded: recorded / whole, seen: seen / whole, converged: seen === 0 ? null : converged / seen };
}
