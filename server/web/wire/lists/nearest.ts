import { editDistance } from '#lib/format/edit-distance.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import { refOnly } from '../object/wire-object.ts';

const SHOWN = 5;

function distance(wanted: string, found: string): number {
  const [a, b] = [wanted.toLowerCase(), found.toLowerCase()];
  if (a === b) return 0;
  if (a !== '' && (b.includes(a) || a.includes(b))) return 1;
  return editDistance(a, b, 3) + 1;
}

/** The names nearest to one that is not there, the nearest first. */
export function nearestNames(name: string, names: readonly string[]): string[] {
  return closest(
    names.map((found) => ({ found, far: distance(name, found) })),
    4,
  );
}

/** The clusters whose names are nearest to one that is not there; everything but `cluster` is ''. */
export function nearestClusters(name: string, clusters: readonly KnownCluster[]): ObjectRef[] {
  const names = clusters.map((cluster) => cluster.name);
  return nearestNames(name, names).map((cluster) => ({ cluster, group: '', kind: '', namespace: '', name: '' }));
}

/**
 * The objects nearest to one that is not there: the same name elsewhere first (another namespace, kind or cluster),
 * then names that are spelled nearly alike on its cluster.
 */
export function nearestObjects(wanted: ObjectRef, clusters: readonly KnownCluster[]): ObjectRef[] {
  const scored: { found: ObjectRef; far: number }[] = [];
  for (const cluster of clusters) {
    const here = cluster.name === wanted.cluster;
    for (const { ref } of cluster.objects) {
      const sameName = ref.name === wanted.name;
      if (!here && !(sameName && ref.kind === wanted.kind)) continue;
      const spelled = sameName ? 0 : distance(wanted.name, ref.name);
      if (spelled > 3) continue;
      const far =
        spelled * 2 +
        (here ? 0 : 1.5) +
        (ref.kind === wanted.kind ? 0 : 1) +
        (ref.namespace === wanted.namespace ? 0 : 0.5);
      scored.push({ found: refOnly(ref), far });
    }
  }
  const found = closest(scored, 8);
  return found.length > 0 || clusters.some((cluster) => cluster.name === wanted.cluster)
    ? found
    : nearestClusters(wanted.cluster, clusters);
}

function closest<T>(scored: readonly { readonly found: T; readonly far: number }[], most: number): T[] {
  return scored
    .filter(({ far }) => far <= most)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, SHOWN)
    .map(({ found }) => found);
}
