import type { Period } from '../../domain/record/span.ts';
import { cutTo, isVerdictState, stateRank, type Stretch, type TimelineState } from './timeline.ts';

/** A state and its share, above 0 and up to 1. */
export interface StateShare {
  readonly state: TimelineState;
  readonly share: number;
}

/** A stretch of a lane: the worst state on it, how many objects were in that state, and how many were there. */
export interface LaneStretch extends Stretch {
  readonly objects: number;
  readonly of: number;
  /** The share of the objects there in each state, worst first; where none was there all of it is `state`. */
  readonly shares: readonly StateShare[];
}

/** The stretches of one object as those of a lane of its own. */
export function oneObject<S extends Stretch>(stretches: readonly S[]): readonly (S & LaneStretch)[] {
  return stretches.map((stretch) => {
    const there = isVerdictState(stretch.state) ? 1 : 0;
    return { ...stretch, objects: there, of: there, shares: [{ state: stretch.state, share: 1 }] };
  });
}

/**
 * Several objects as one lane over the period, oldest first and without holes: a stretch for each time in which as many were in
 * each state. The stretches of one object must not overlap.
 */
export function foldObjects(objects: readonly (readonly Stretch[])[], period: Period): readonly LaneStretch[] {
  const edges = objects
    .flatMap((stretches) => cutTo(stretches, period))
    .flatMap(({ from, to, state }) => [
      { at: from, state, by: 1 },
      { at: to, state, by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at);
  const counts = new Map<TimelineState, number>();
  const lane: LaneStretch[] = [];
  let at = period.from;
  const upTo = (end: number): void => {
    if (end <= at) return;
    const next = { from: at, to: end, ...stateOf(counts) };
    const last = lane.at(-1);
    if (last !== undefined && isAlike(last, next)) lane[lane.length - 1] = { ...last, to: end };
    else lane.push(next);
    at = end;
  };
  for (const edge of edges) {
    upTo(edge.at);
    counts.set(edge.state, (counts.get(edge.state) ?? 0) + edge.by);
  }
  upTo(period.to);
  return lane;
}

function stateOf(counts: ReadonlyMap<TimelineState, number>): Omit<LaneStretch, 'from' | 'to'> {
  const found = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => stateRank(a) - stateRank(b));
  const there = found.filter(([state]) => isVerdictState(state));
  const of = there.reduce((sum, [, count]) => sum + count, 0);
  const [state, objects] = found[0] ?? ['absent', 0];
  if (of === 0) return { state, objects: 0, of, shares: [{ state, share: 1 }] };
  return { state, objects, of, shares: there.map(([each, count]) => ({ state: each, share: count / of })) };
}

function isAlike(a: LaneStretch, b: LaneStretch): boolean {
  return (
    a.of === b.of &&
    a.shares.length === b.shares.length &&
    a.shares.every(({ state, share }, index) => state === b.shares[index]?.state && share === b.shares[index].share)
  );
}

/** A time in which the worst state of a lane was the same. */
export interface WorstStretch extends Stretch {
  /** The most objects that were in it at once, and how many were there at that moment. */
  readonly objects: number;
  readonly of: number;
  /** As many were in it, of as many, all the time. */
  readonly steady: boolean;
}

/** The worst state of a lane from one change of it to the next. `stretches` in order and without holes. */
export function worstStretches(stretches: readonly LaneStretch[]): readonly WorstStretch[] {
  const found: WorstStretch[] = [];
  for (const { from, to, state, objects, of } of stretches) {
    const last = found.at(-1);
    if (last?.state !== state) found.push({ from, to, state, objects, of, steady: true });
    else {
      const most = objects > last.objects ? { objects, of } : { objects: last.objects, of: last.of };
      const steady = last.steady && last.objects === objects && last.of === of;
      found[found.length - 1] = { ...last, ...most, to, steady };
    }
  }
  return found;
}
