import type { WireLane, WireLaneRow, WireMarkOfTime } from '#lib/api/history.ts';
import { clusterPath, historyPath, objectPath } from '#lib/api/paths.ts';
import { kindKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { foldObjects, oneObject, worstStretches, type LaneStretch } from '#lib/draw/timeline/fold.ts';
import { marksOf, type Mark } from '#lib/draw/timeline/lane-marks.ts';
import { isVerdictState, type Stretch } from '#lib/draw/timeline/timeline.ts';
import { countOf } from '#lib/format/number.ts';
import { wireTime } from '../wire/wire-time.ts';
import type { ObjectStretch } from './object-stretches.ts';

/** One object with its stretches over the period. */
export interface ObjectHistory {
  readonly ref: ObjectRef;
  readonly stretches: readonly ObjectStretch[];
}

/** Frame of the lanes: their period, how wide they are drawn (px), and how many rows each has at most. */
export interface LaneFrame {
  readonly period: Period;
  readonly width: number;
  readonly rows: number;
}

/** Name of a lane of several objects, and the filter that names the lanes it is made of. */
export interface LaneName {
  readonly key: string;
  readonly title: string;
  readonly href: string;
  readonly filter: { readonly [key: string]: string };
}

/** The lane of one object. */
export function objectLane({ ref, stretches }: ObjectHistory, frame: LaneFrame): WireLane {
  const lane = oneObject(stretches);
  return {
    key: `${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`,
    title: ref.name,
    note: ref.namespace === '' ? ref.kind : `${ref.kind} in ${ref.namespace}`,
    objects: 1,
    href: objectPath(ref),
    history: null,
    marks: marksOf(lane, frame.period, frame.width).map((mark) => ({
      ...wireMark(mark),
      // What is gathered has no one reason.
      ...(mark.changes === 0 ? reasonOf(mark.worst) : noReason),
    })),
    ...rowsOf(lane, frame, (stretch) => ({ ...wireRow(stretch), ...reasonOf(stretch), steady: true })),
    ...lengths([stretches]),
  };
}

/** The lane of several objects: at every moment how many were in each state. */
export function sharedLane(name: LaneName, objects: readonly ObjectHistory[], frame: LaneFrame): WireLane {
  const stretches = objects.map((object) => object.stretches);
  const lane = foldObjects(stretches, frame.period);
  return {
    key: name.key,
    title: name.title,
    note: countOf(objects.length, 'object'),
    objects: objects.length,
    href: name.href,
    history: historyPath(name.filter),
    marks: marksOf(lane, frame.period, frame.width).map((mark) => ({ ...wireMark(mark), ...noReason })),
    ...rowsOf(worstStretches(lane), frame, (stretch) => ({
      ...wireRow(stretch),
      ...noReason,
      steady: stretch.steady,
    })),
    ...lengths(stretches),
  };
}

/** The lane of one kind on a cluster. */
export function kindName(cluster: string, group: string, kind: string): LaneName {
  const filter = { cluster, group: group === '' ? '-' : group, kind };
  return { key: kindKey({ group, kind }), title: kind, href: clusterPath(cluster), filter };
}

type Why = Pick<WireLaneRow, 'reason' | 'commit' | 'onset'>;

const noReason: Why = { reason: null, commit: null, onset: null };

function reasonOf({ span, blind }: ObjectStretch): Why {
  const earlier = span !== null && (span.onset.bound === 'at-least' || span.onset.time < span.from);
  return {
    reason: blind ?? (span === null || span.reason === '' ? null : span.reason),
    commit: span?.commit ?? null,
    onset: earlier ? { time: wireTime(span.onset.time), bound: span.onset.bound } : null,
  };
}

function wireRow({ from, to, state, objects, of }: Omit<LaneStretch, 'shares'>) {
  return { from: wireTime(from), to: wireTime(to), state, objects, of };
}

function wireMark({ from, to, state, changes, shares, worst }: Mark<LaneStretch>): Omit<WireMarkOfTime, keyof Why> {
  const { objects, of } = worst;
  return { ...wireRow({ from, to, state, objects, of }), changes, at: wireTime(worst.from), shares: [...shares] };
}

function rowsOf<S>(
  all: readonly S[],
  { rows }: LaneFrame,
  wire: (stretch: S) => WireLaneRow,
): Pick<WireLane, 'rows' | 'rowsTotal'> {
  return { rows: all.slice(Math.max(0, all.length - rows)).map(wire), rowsTotal: all.length };
}

/** Object-ms: how long they existed, of that how long they were seen, of that how long converged. */
function lengths(objects: readonly (readonly Stretch[])[]): Pick<WireLane, 'existed' | 'observed' | 'converged'> {
  let [existed, observed, converged] = [0, 0, 0];
  for (const stretches of objects)
    for (const { from, to, state } of stretches) {
      if (!isVerdictState(state)) continue;
      existed += to - from;
      if (state !== 'unobserved') observed += to - from;
      if (state === 'converged') converged += to - from;
    }
  return { existed, observed, converged };
}
