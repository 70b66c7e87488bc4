import type { TimelineState } from './timeline.ts';

/** Style of a state: a thin line where all is in order, a block where it is not, a hatch where nothing is seen. */
export type StripStyle = 'line' | 'broken-line' | 'block' | 'hatch' | 'nothing';

/** Style of each state. What is not known is never drawn like what is good. */
export function stripStyle(state: TimelineState): StripStyle {
  switch (state) {
    case 'converged':
      return 'line';
    case 'unconfirmed':
      return 'broken-line';
    case 'diverged':
    case 'drifted':
    case 'unhealthy':
    case 'stale':
    case 'suspended':
    case 'behind':
    case 'waiting':
    case 'progressing':
      return 'block';
    case 'unobserved':
      return 'hatch';
    case 'absent':
    case 'not-recorded':
      return 'nothing';
  }
}

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
