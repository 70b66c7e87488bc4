import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { areTimesNotKnown, hasArrived, type WaveCluster, type WaveState } from './wave-cluster.ts';

/** State of a cluster for a commit, in words that follow "is" or a count. */
export const waveWord: Readonly<Record<WaveState, string>> = {
  stuck: 'stuck',
  'failed-later': 'failed later',
  unknown: 'not known',
  'on-its-way': 'on its way',
  superseded: 'superseded',
  converged: 'converged',
};

/** Length from a commit to a time, for people: "after 4 min"; "before it was made" where a clock is wrong. */
export function afterText(at: number, committedAt: number): string {
  return at < committedAt ? 'before its own time' : `after ${formatDuration(at - committedAt)}`;
}

/** Rollout over the clusters of one environment in words: "9 of 12 clusters, the first after 4 min, the last after 12 min; 2 on its way; 1 stuck". */
export function waveText(clusters: readonly WaveCluster[], committedAt: number): string {
  const arrived = clusters.filter(hasArrived);
  const ends = arrived.flatMap(({ lastAt }) => lastAt ?? []);
  const first = ends.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER);
  const last = ends.reduce((a, b) => Math.max(a, b), 0);
  const known = clusters.some(areTimesNotKnown) ? 'as far as known ' : '';
  const when =
    ends.length === 0
      ? ''
      : first === last
        ? `, ${known}${afterText(last, committedAt)}`
        : `, ${known}the first ${afterText(first, committedAt)}, the last ${afterText(last, committedAt)}`;
  const open = (['on-its-way', 'unknown', 'failed-later', 'stuck'] as const).flatMap((state) => {
    const count = clusters.filter((cluster) => cluster.state === state).length;
    return count === 0 ? [] : [`${formatCount(count)} ${waveWord[state]}`];
  });
  return [`${formatCount(arrived.length)} of ${countOf(clusters.length, 'cluster')}${when}`, ...open].join('; ');
}
