import { rankOfRow } from '#lib/domain/matrix/matrix-order.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

/** True if a cluster deserves a look: something on it is not converged, or it is not seen. */
export function isNotInOrder(cluster: KnownCluster): boolean {
  const { state } = cluster.known;
  return (cluster.worst ?? 'converged') !== 'converged' || (state !== 'live' && state !== 'declared');
}

/** Those with objects that nobody was called for first, then by what is worst on them, then by name. */
export function worstClusters(clusters: readonly KnownCluster[]): readonly KnownCluster[] {
  const rank = (cluster: KnownCluster): number => rankOfRow({ worst: cluster.worst, state: cluster.known.state });
  return clusters.toSorted(
    (a, b) =>
      Number(b.guarantee.broken > 0) - Number(a.guarantee.broken > 0) ||
      rank(a) - rank(b) ||
      (a.name < b.name ? -1 : 1),
  );
}
