import type { WireLane, WireMarkOfTime } from '#lib/api/history.ts';
import { clusterPath, historyPath, objectPath } from '#lib/api/paths.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import type { Period } from '#lib/domain/span.ts';
import { isTold, marksOf, worstOf, type Mark, type Stretch } from '#lib/draw/timeline.ts';
import { countOf } from '#lib/format/number.ts';
import { wireTime } from '../wire/wire-time.ts';
import type { ObjectStretch } from './object-stretches.ts';

/** One object with its stretches over the period. */
export interface ObjectHistory {
  readonly ref: ObjectRef;
  readonly stretches: readonly ObjectStretch[];
}

/** How the lanes are drawn: over which period, and how wide (px). */
export interface LaneFrame {
  readonly period: Period;
  readonly width: number;
}

/** What a lane of several objects is named by, and the filter that names the lanes it is made of. */
export interface LaneName {
  readonly key: string;
  readonly title: string;
  readonly href: string;
  readonly filter: { readonly [key: string]: string };
}

/** The lane of one object. */
export function objectLane({ ref, stretches }: ObjectHistory, { period, width }: LaneFrame): WireLane {
  return {
    key: `${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`,
    title: ref.name,
    note: ref.namespace === '' ? ref.kind : `${ref.kind} in ${ref.namespace}`,
    objects: 1,
    href: objectPath(ref),
    history: null,
    marks: marksOf(stretches, period, width).map(objectMark),
    ...lengths([stretches]),
  };
}

/** The lane of several objects: at every moment the worst of them. */
export function sharedLane(name: LaneName, objects: readonly ObjectHistory[], { period, width }: LaneFrame): WireLane {
  const stretches = objects.map((object) => object.stretches);
  return {
    key: name.key,
    title: name.title,
    note: countOf(objects.length, 'object'),
    objects: objects.length,
    href: name.href,
    history: historyPath(name.filter),
    marks: marksOf(worstOf(stretches, period), period, width).map((mark) => ({
      ...plainMark(mark),
      objects: isTold(mark.state) ? mark.worst.objects : 0,
      reason: null,
      commit: null,
      onset: null,
    })),
    ...lengths(stretches),
  };
}

/** The lane of one kind on a cluster. */
export function kindName(cluster: string, group: string, kind: string): LaneName {
  const filter = { cluster, group: group === '' ? '-' : group, kind };
  return { key: `${group}/${kind}`, title: kind, href: clusterPath(cluster), filter };
}

function plainMark({
  from,
  to,
  state,
  events,
  worst,
}: Mark<Stretch>): Pick<WireMarkOfTime, 'from' | 'to' | 'state' | 'events' | 'at'> {
  return { from: wireTime(from), to: wireTime(to), state, events, at: wireTime(worst.from) };
}

function objectMark(mark: Mark<ObjectStretch>): WireMarkOfTime {
  const { span, blind } = mark.worst;
  const earlier =
    mark.events === 1 && span !== null && (span.onset.bound === 'at-least' || span.onset.time < span.from);
  return {
    ...plainMark(mark),
    objects: isTold(mark.state) ? 1 : 0,
    reason: blind ?? (span === null || span.reason === '' ? null : span.reason),
    commit: span?.commit ?? null,
    onset: earlier ? { time: wireTime(span.onset.time), bound: span.onset.bound } : null,
  };
}

/** Object-ms: how long they existed, of that how long they were seen, of that how long converged. */
function lengths(objects: readonly (readonly Stretch[])[]): Pick<WireLane, 'existed' | 'observed' | 'converged'> {
  let [existed, observed, converged] = [0, 0, 0];
  for (const stretches of objects)
    for (const { from, to, state } of stretches) {
      if (!isTold(state)) continue;
      existed += to - from;
      if (state !== 'unobserved') observed += to - from;
      if (state === 'converged') converged += to - from;
    }
  return { existed, observed, converged };
}
