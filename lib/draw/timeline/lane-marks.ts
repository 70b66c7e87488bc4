import type { Period } from '../../domain/record/span.ts';
import type { LaneStretch, StateShare } from './fold.ts';
import { cutTo, stateRank, type Stretch, type TimelineState } from './timeline.ts';

/** Stretch drawn as one mark: as it is, or several that are too short to be told apart. */
export interface Mark<S extends Stretch> extends Stretch {
  /** Number of changes within it; 0 for a stretch as it is. */
  readonly changes: number;
  /** The mean share of each state over its time, worst first. */
  readonly shares: readonly StateShare[];
  /** The stretch in the worst state with the most objects in it; the first of those. `state` is its state. */
  readonly worst: S;
}

/** No mark is drawn narrower than this (px). */
export const leastMark = 3;

/**
 * A lane as it is drawn over the period on `width` px: what lasts `leastMark` px or more stands as it is; what is shorter is
 * gathered with its short neighbours until it is. Never more marks than pixels. For drawing only: a gathered mark has no state of
 * its own, and `from` and `to` are those of all that it holds. `stretches` in order and without overlap.
 */
export function marksOf<S extends LaneStretch>(
  stretches: readonly S[],
  period: Period,
  width: number,
): readonly Mark<S>[] {
  const least = ((period.to - period.from) / width) * leastMark;
  const marks: Mark<S>[] = [];
  let gathered: S[] = [];
  const flush = (): void => {
    const mark = together(gathered);
    if (mark !== null) marks.push(mark);
    gathered = [];
  };
  for (const stretch of cutTo(stretches, period)) {
    const [first] = gathered;
    const apart = first !== undefined && gathered.at(-1)?.to !== stretch.from;
    if (apart || (first !== undefined && stretch.from - first.from >= least)) flush();
    if (stretch.to - stretch.from >= least) flush();
    gathered.push(stretch);
    if (stretch.to - stretch.from >= least) flush();
  }
  flush();
  return marks;
}

function together<S extends LaneStretch>(stretches: readonly S[]): Mark<S> | null {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return null;
  const worst = stretches.reduce((a, b) => (isWorse(b, a) ? b : a));
  const shares = meanShares(stretches, last.to - first.from);
  return { from: first.from, to: last.to, state: worst.state, changes: stretches.length - 1, shares, worst };
}

function isWorse(a: LaneStretch, b: LaneStretch): boolean {
  const by = stateRank(a.state) - stateRank(b.state);
  return by < 0 || (by === 0 && a.objects > b.objects);
}

function meanShares(stretches: readonly LaneStretch[], whole: number): readonly StateShare[] {
  const sums = new Map<TimelineState, number>();
  for (const { from, to, shares } of stretches)
    for (const { state, share } of shares) sums.set(state, (sums.get(state) ?? 0) + (share * (to - from)) / whole);
  return [...sums]
    .map(([state, share]) => ({ state, share }))
    .toSorted((a, b) => stateRank(a.state) - stateRank(b.state));
}
