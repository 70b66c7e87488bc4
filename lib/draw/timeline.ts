import type { Period } from '../domain/span.ts';
import { verdictRank, type Verdict } from '../domain/verdict.ts';

/** What can stand on a timeline: a verdict, not there at all, or no record of it. */
export type TimelineState = Verdict | 'absent' | 'not-recorded';

/** One state from one time to another (ms), half-open. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly state: TimelineState;
}

/** What is drawn as one mark: a stretch, or several that are too short to be told apart, by the worst of them. */
export interface Mark<S extends Stretch> extends Stretch {
  /** How many events (stretches that are not in order) it stands for; 1 for one that is told apart. */
  readonly events: number;
  /** The stretch that it is named by: the first in the worst state. */
  readonly worst: S;
}

/** No event is drawn narrower than this (px). */
export const leastEvent = 3;

/** Whether a state is something that happened: neither in order, nor nothing there. */
export function isEvent(state: TimelineState): boolean {
  return state !== 'converged' && state !== 'unconfirmed' && state !== 'absent' && state !== 'not-recorded';
}

/** Whether a state is a verdict: the object was there, and something is recorded of it. */
export function isTold(state: TimelineState): state is Verdict {
  return state !== 'absent' && state !== 'not-recorded';
}

function rankOf(state: TimelineState): number {
  if (isTold(state)) return verdictRank(state);
  return state === 'absent' ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER;
}

/** The worse of two states; anything is worse than nothing there. */
function worseState(a: TimelineState, b: TimelineState): TimelineState {
  return rankOf(a) <= rankOf(b) ? a : b;
}

/** The part of every stretch that lies in the period; what lies outside falls away. */
export function cutTo<S extends Stretch>(stretches: readonly S[], { from, to }: Period): readonly S[] {
  return stretches.flatMap((stretch) => {
    if (stretch.to <= from || stretch.from >= to) return [];
    return { ...stretch, from: Math.max(stretch.from, from), to: Math.min(stretch.to, to) };
  });
}

/** The worst state of several objects over the period, and how many of them are in it. */
export interface WorstStretch extends Stretch {
  readonly objects: number;
}

/**
 * Several objects as one lane: at every moment the worst state of them, and how many are in it; where none exists `absent`.
 * The stretches of one object must not overlap.
 */
export function worstOf(objects: readonly (readonly Stretch[])[], period: Period): readonly WorstStretch[] {
  const edges = objects
    .flatMap((stretches) => cutTo(stretches, period))
    .flatMap(({ from, to, state }) => [
      { at: from, state, by: 1 },
      { at: to, state, by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at);
  const counts = new Map<TimelineState, number>();
  const lane: WorstStretch[] = [];
  let at = period.from;
  const upTo = (end: number): void => {
    if (end <= at) return;
    const [state, objectsIn] = worstCount(counts);
    const last = lane.at(-1);
    if (last?.state === state && last.objects === objectsIn) lane[lane.length - 1] = { ...last, to: end };
    else lane.push({ from: at, to: end, state, objects: objectsIn });
    at = end;
  };
  for (const edge of edges) {
    upTo(edge.at);
    counts.set(edge.state, (counts.get(edge.state) ?? 0) + edge.by);
  }
  upTo(period.to);
  return lane;
}

function worstCount(counts: ReadonlyMap<TimelineState, number>): readonly [TimelineState, number] {
  let worst: TimelineState = 'not-recorded';
  let found = false;
  for (const [state, count] of counts) {
    if (count === 0) continue;
    found = true;
    worst = worseState(worst, state);
  }
  return found ? [worst, counts.get(worst) ?? 0] : ['absent', 0];
}

/**
 * A lane as it is drawn over the period on `width` px: what lasts `leastEvent` px or more stands as it is; what is shorter is
 * gathered with its short neighbours until it is, under the worst state among them. Never more marks than pixels.
 * `stretches` in order and without overlap.
 */
export function marksOf<S extends Stretch>(stretches: readonly S[], period: Period, width: number): readonly Mark<S>[] {
  const least = ((period.to - period.from) / width) * leastEvent;
  const marks: Mark<S>[] = [];
  let gathered: S[] = [];
  const flush = (): void => {
    const [first] = gathered;
    const last = gathered.at(-1);
    if (first === undefined || last === undefined) return;
    const events = gathered.filter(({ state }) => isEvent(state)).length;
    const worst = gathered.reduce((a, b) => (worseState(a.state, b.state) === a.state ? a : b));
    marks.push({ from: first.from, to: last.to, state: worst.state, events: Math.max(1, events), worst });
    gathered = [];
  };
  for (const stretch of cutTo(stretches, period)) {
    const [first] = gathered;
    const apart = first !== undefined && gathered.at(-1)?.to !== stretch.from;
    if (apart || (first !== undefined && stretch.from - first.from >= least)) flush();
    if (stretch.to - stretch.from >= least) {
      flush();
      const { from, to, state } = stretch;
      marks.push({ from, to, state, events: 1, worst: stretch });
    } else gathered.push(stretch);
  }
  flush();
  return marks;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
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

/** How far apart (ms) the ticks of an axis stand, so that at most `most` of them do. */
export function tickEvery({ from, to }: Period, most: number): number {
  return steps.find((step) => (to - from) / step <= most) ?? 365 * day;
}
