import type { Period } from '../../domain/record/span.ts';
import { day, hour, minute, second } from '../../domain/time/length.ts';
import { byName, stagesOf } from './stages.ts';
import { hasArrived, hasCome, waveStates, type WaveCluster, type WaveState } from './wave-cluster.ts';

/** One cluster in the picture. Places are shares of its width, from 0 to 1. */
export interface WaveLine {
  readonly cluster: string;
  readonly state: WaveState;
  readonly offered: number | null;
  /** From when it was offered (or made) until the first arrived. */
  readonly waited: readonly [number, number] | null;
  /** From the first to the last arrival. */
  readonly spread: readonly [number, number] | null;
  /** Place of the last arrival; null while it is open. */
  readonly arrived: number | null;
}

/** Clusters of one environment in the picture: one line each, or a curve of how many have it, and lines of those that do not get it, or fail since. */
export interface WaveGroup {
  readonly environment: string;
  readonly clusters: number;
  readonly arrived: number;
  readonly lines: readonly WaveLine[];
  /** SVG path data in a box of `curveBox`; null where each cluster has its line. */
  readonly curve: string | null;
}

/** A rollout as a picture: time from the commit on, environments in the order in which it came to them. */
export interface Wave {
  readonly period: Period;
  /** Some clusters are open for longer than the picture is: it ends soon after the last arrival. */
  readonly cut: boolean;
  readonly groups: readonly WaveGroup[];
}

/** Box of a curve (px); its width is stretched. */
export const curveBox = { width: 1000, height: 40 } as const;

/** Most lines of a picture; with more clusters environments of more than `mostInGroup` are curves. */
const mostLines = 40;
const mostInGroup = 8;
/** Most lines beside a curve. */
const besideCurve = 5;

/** The picture of a commit that was made at a time, as it is now (ms). */
export function waveOf(clusters: readonly WaveCluster[], committedAt: number, now: number): Wave {
  const { period, cut } = shownTime(clusters, committedAt, now);
  const many = clusters.length > mostLines;
  const groups = stagesOf(clusters).map(({ environment, clusters: of }) =>
    groupOf(environment, of, period, many && of.length > mostInGroup),
  );
  return { period, cut, groups };
}

/**
 * From the commit, or the first that is known of it where a clock was wrong, to now; where all have it to a little after the last arrival;
 * where that is long ago and some are open still, not much further.
 */
function shownTime(clusters: readonly WaveCluster[], committedAt: number, now: number) {
  const times = clusters.flatMap(({ offeredAt, firstAt, lastAt }) =>
    [offeredAt, firstAt, lastAt].filter((at) => at !== null),
  );
  const from = times.reduce((a, b) => Math.min(a, b), committedAt);
  const last = times.reduce((a, b) => Math.max(a, b), from);
  const open = clusters.some((cluster) => !hasCome(cluster));
  const length = Math.max(10 * second, last - from);
  const cut = open && last > from && now - from > 4 * length;
  const to = cut ? from + 1.5 * length : open ? now : from + 1.08 * length;
  return { period: { from, to: Math.max(from + 10 * second, to) }, cut };
}

function groupOf(environment: string, of: readonly WaveCluster[], period: Period, asCurve: boolean): WaveGroup {
  const ordered = of.toSorted(
    (a, b) => endOf(a) - endOf(b) || stateRank(b.state) - stateRank(a.state) || byName(a.cluster, b.cluster),
  );
  const kept = asCurve
    ? ordered
        .filter(({ state }) => state === 'stuck' || state === 'failed-later' || state === 'unknown')
        .slice(-besideCurve)
    : ordered;
  return {
    environment,
    clusters: of.length,
    arrived: of.filter(hasArrived).length,
    lines: kept.map((cluster) => lineOf(cluster, period)),
    curve: asCurve ? arrivalsPath(of, period) : null,
  };
}

/** Those to which it has come in the order in which it did, then those that wait for it. */
function endOf(cluster: WaveCluster): number {
  if (!hasCome(cluster)) return Number.MAX_SAFE_INTEGER;
  return cluster.lastAt ?? Number.MAX_SAFE_INTEGER - 1;
}

function stateRank(state: WaveState): number {
  return waveStates.indexOf(state);
}

function lineOf(cluster: WaveCluster, period: Period): WaveLine {
  const { state, offeredAt, firstAt, lastAt } = cluster;
  const place = (at: number): number => Math.min(1, Math.max(0, (at - period.from) / (period.to - period.from)));
  const end = hasCome(cluster) ? lastAt : period.to;
  const began = offeredAt === null ? null : place(offeredAt);
  const first = firstAt === null ? null : place(firstAt);
  return {
    cluster: cluster.cluster,
    state,
    offered: began,
    waited: stretch(began ?? 0, first ?? (end === null ? null : place(end))),
    spread: first === null ? null : stretch(first, end === null ? null : place(end)),
    arrived: hasCome(cluster) && end !== null ? place(end) : null,
  };
}

function stretch(from: number, to: number | null): readonly [number, number] | null {
  return to === null ? null : [Math.min(from, to), to];
}

/** Outline of how many clusters of a group had a commit over a period, full height where all of them; '' where none has it. */
export function arrivalsPath(clusters: readonly WaveCluster[], period: Period): string {
  const { width, height } = curveBox;
  const times = clusters
    .flatMap((cluster) => (hasArrived(cluster) ? [cluster.lastAt ?? period.from] : []))
    .toSorted((a, b) => a - b);
  if (times.length === 0) return '';
  const x = (at: number): number =>
    px(Math.min(1, Math.max(0, (at - period.from) / (period.to - period.from))) * width);
  const risen = new Map(times.map((at, index) => [x(at), px(height - ((index + 1) / clusters.length) * height)]));
  const steps = [...risen].map(([at, top]) => `H${at}V${top}`);
  return `M0 ${height}${steps.join('')}H${width}V${height}`;
}

function px(value: number): number {
  return Math.round(value * 10) / 10;
}

const steps = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * day),
  ...[1, 10, 100, 1_000, 10_000, 100_000].flatMap((many) => [1, 2, 5].map((years) => years * many * 365 * day)),
];

/** Full lengths of time since the commit along the picture: `at` is the place, `after` the length (ms); at most `most` of them. */
export function waveTicks(
  { from, to }: Period,
  committedAt: number,
  most: number,
): readonly { readonly at: number; readonly after: number }[] {
  const every = steps.find((step) => (to - from) / step <= most) ?? to - from;
  const ticks: { at: number; after: number }[] = [];
  for (let time = committedAt; time < to; time += every)
    ticks.push({ at: (time - from) / (to - from), after: time - committedAt });
  return ticks;
}
