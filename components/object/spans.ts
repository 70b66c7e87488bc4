import type { WireObject, WireTransition } from '#lib/api/object.ts';
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
