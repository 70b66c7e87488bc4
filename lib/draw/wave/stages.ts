import { areTimesNotKnown, hasCome, type WaveCluster } from './wave-cluster.ts';

/** Times (ms) of a commit in one environment; null where it is not so far, or that is not known. */
export interface Stage {
  readonly environment: string;
  readonly clusters: readonly WaveCluster[];
  readonly firstAt: number | null;
  /** It came to the last of all its clusters. */
  readonly wholeAt: number | null;
  /** The environment to which it came next, and for how long this one had it whole by then; null length where it did not have it whole. */
  readonly next: { readonly environment: string; readonly after: number | null } | null;
}

/** Environments in the order in which a commit came to them; those that it has not come to last, by name. */
export function stagesOf(clusters: readonly WaveCluster[]): readonly Stage[] {
  const stages = [...Map.groupBy(clusters, ({ environment }) => environment)]
    .map(([environment, of]) => ({ environment, clusters: of, firstAt: firstOf(of), wholeAt: wholeOf(of) }))
    .toSorted((a, b) => (a.firstAt ?? never) - (b.firstAt ?? never) || byName(a.environment, b.environment));
  return stages.map((stage, index) => {
    const then = stages[index + 1];
    const nextAt = then?.firstAt ?? null;
    if (then === undefined || nextAt === null) return { ...stage, next: null };
    const whole = stage.wholeAt !== null && stage.wholeAt <= nextAt;
    return {
      ...stage,
      next: { environment: then.environment, after: whole && stage.wholeAt !== null ? nextAt - stage.wholeAt : null },
    };
  });
}

const never = Number.MAX_SAFE_INTEGER;

/** By name; what has none comes last. */
export function byName(a: string, b: string): number {
  if (a === '' || b === '') return b.length - a.length;
  return a < b ? -1 : Number(a > b);
}

/** null too where of one cluster nothing is known: it may have been the first. */
function firstOf(clusters: readonly WaveCluster[]): number | null {
  if (clusters.some(areTimesNotKnown)) return null;
  const times = clusters.flatMap(({ firstAt }) => firstAt ?? []);
  return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
}

/** null too where of one cluster it is not known when. */
function wholeOf(clusters: readonly WaveCluster[]): number | null {
  const times = clusters.flatMap((cluster) => (hasCome(cluster) ? (cluster.lastAt ?? []) : []));
  return times.length < clusters.length ? null : times.reduce((a, b) => Math.max(a, b), 0);
}
