import type { Verdict } from '../domain/verdict.ts';

/** What was the case from one time to another (ms): a verdict, not there at all, or nothing recorded. */
export interface StripSpan {
  readonly from: number;
  readonly to: number;
  readonly state: Verdict | 'absent' | 'not-recorded';
}

/** How a span is drawn: a thin line where all is in order, a block where it is not, a hatch where nothing is seen. */
export type StripLook = 'line' | 'broken-line' | 'block' | 'low-block' | 'hatch' | 'nothing';

/** One mark of a strip, in shares (0 to 1) of its length. */
export interface StripBar {
  readonly state: StripSpan['state'];
  readonly look: StripLook;
  readonly start: number;
  readonly length: number;
}

/** How each state is drawn. What is not known is never drawn like what is good. */
export function stripLook(state: StripSpan['state']): StripLook {
  switch (state) {
    case 'converged':
      return 'line';
    case 'unconfirmed':
      return 'broken-line';
    case 'diverged':
    case 'drifted':
    case 'unhealthy':
    case 'stale':
      return 'block';
    case 'suspended':
    case 'behind':
    case 'waiting':
    case 'progressing':
      return 'low-block';
    case 'unobserved':
      return 'hatch';
    case 'absent':
    case 'not-recorded':
      return 'nothing';
  }
}

/**
 * The marks of a strip from `from` to `to` (ms), in the order in which they are painted: lines first, then what is not seen,
 * then events, the worst last, so that no event hides behind what was in order. Spans outside are left out.
 */
export function stripBars(spans: readonly StripSpan[], from: number, to: number): readonly StripBar[] {
  const whole = to - from;
  if (whole <= 0) return [];
  const bars = spans.flatMap((span): StripBar[] => {
    const start = Math.max(span.from, from);
    const end = Math.min(span.to, to);
    if (end < start || span.to <= from || span.from >= to) return [];
    return [
      { state: span.state, look: stripLook(span.state), start: (start - from) / whole, length: (end - start) / whole },
    ];
  });
  return bars.toSorted((a, b) => order.indexOf(a.look) - order.indexOf(b.look));
}

const order: readonly StripLook[] = ['nothing', 'line', 'broken-line', 'hatch', 'low-block', 'block'];

/** A mark on the time axis: `at` is its share of the strip's length. */
export interface StripTick {
  readonly time: number;
  readonly at: number;
}

/** The full multiples of `every` (ms, counted from midnight UTC) from `from` to `to`. */
export function stripTicks(from: number, to: number, every: number): readonly StripTick[] {
  const ticks: StripTick[] = [];
  for (let time = Math.ceil(from / every) * every; time < to; time += every) {
    ticks.push({ time, at: (time - from) / (to - from) });
  }
  return ticks;
}
