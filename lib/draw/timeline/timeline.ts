import type { Period } from '../../domain/record/span.ts';
import { verdictRank, type Verdict } from '../../domain/verdict/verdict.ts';
import { day, hour, minute } from '../../domain/time/length.ts';

/** State on a timeline: a verdict, not there at all, or no record of it. */
export type TimelineState = Verdict | 'absent' | 'not-recorded';

/** One state from one time to another (ms), half-open. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly state: TimelineState;
}

/** True if a state is something that happened: neither in order, nor nothing there. */
export function isEvent(state: TimelineState): boolean {
  return state !== 'converged' && state !== 'unconfirmed' && state !== 'absent' && state !== 'not-recorded';
}

/** True if a state is a verdict: the object was there, and something is recorded of it. */
export function isVerdictState(state: TimelineState): state is Verdict {
  return state !== 'absent' && state !== 'not-recorded';
}

/** The rank of a state among all, the worst first; nothing there comes last. */
export function stateRank(state: TimelineState): number {
  if (isVerdictState(state)) return verdictRank(state);
  return state === 'absent' ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER;
}

/** The part of every stretch that lies in the period; what lies outside falls away. */
export function cutTo<S extends Stretch>(stretches: readonly S[], { from, to }: Period): readonly S[] {
  return stretches.flatMap((stretch) => {
    if (stretch.to <= from || stretch.from >= to) return [];
    return { ...stretch, from: Math.max(stretch.from, from), to: Math.min(stretch.to, to) };
  });
}

const steps = [
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
  30 * day,
  90 * day,
];

/** Distance (ms) between the ticks of an axis, so that at most `most` of them stand. */
export function tickEvery({ from, to }: Period, most: number): number {
  return steps.find((step) => (to - from) / step <= most) ?? 365 * day;
}
