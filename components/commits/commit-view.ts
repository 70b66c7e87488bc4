import type { WireCommitCluster, WireCommitObject, WireCommitPage } from '#lib/api/commit.ts';
import type { WaveCluster, WaveState } from '#lib/draw/wave/wave-cluster.ts';
import { parseTime } from '#lib/format/time.ts';

/** One object that a commit concerns. */
export interface ShownObject extends Omit<WireCommitObject, 'state'> {
  readonly state: WaveState;
}

/** One cluster that a commit concerns, with times in ms. */
export interface ShownCluster extends WaveCluster {
  /** The worst of them in a few words: "BuildFailed". */
  readonly why: string;
  readonly since: number | null;
  readonly objects: readonly ShownObject[];
  /** Number of those objects: some may not be listed. */
  readonly count: number;
  /** The same by state. */
  readonly counts: Readonly<Record<WaveState, number>>;
}

/** The clusters that a commit concerns, in the order of the answer. */
export function shownClusters({ clusters }: Pick<WireCommitPage, 'clusters'>): readonly ShownCluster[] {
  return clusters.flatMap((cluster) => {
    const { state } = cluster;
    return state === 'not-concerned' ? [] : shownCluster(cluster, state);
  });
}

function shownCluster(of: WireCommitCluster, state: WaveState): ShownCluster {
  const { cluster, environment, why, since, offeredAt, firstAt, lastAt, notKnown, counts } = of;
  const objects = of.objects.flatMap((object) =>
    object.state === 'not-concerned' ? [] : { ...object, state: object.state },
  );
  const { 'not-concerned': _not, ...concerned } = counts;
  return {
    cluster,
    environment,
    state,
    why,
    since: timeOf(since),
    offeredAt: timeOf(offeredAt),
    firstAt: timeOf(firstAt),
    lastAt: timeOf(lastAt),
    notKnown,
    objects,
    counts: concerned,
    count: Math.max(
      objects.length,
      Object.values(concerned).reduce((sum, count) => sum + count, 0),
    ),
  };
}

function timeOf(at: string | null): number | null {
  return at === null ? null : parseTime(at);
}
