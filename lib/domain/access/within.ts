import { grantedOn, isOnCluster, type Granted, type GrantedCluster, type ViewScope } from './scope.ts';

/** Clusters by name (null: any), and namespaces on them: null for all of a cluster, '' among them for what has none. */
export interface WithinPart {
  readonly clusters: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
}

/** A scope in names: the union of its parts. Plain data, as threads and the record take it. */
export type Within = readonly WithinPart[];

/** The part of each cluster that a scope holds, with labels taken as the present clusters carry them; null for everything. */
export function withinOf(scope: ViewScope, present: () => Iterable<GrantedCluster>): Within | null {
  if (scope.type === 'whole') return null;
  return scope.grants.map((grant) => ({
    // By its name a cluster is held that is gone, or comes later.
    clusters:
      Object.keys(grant.labels).length === 0
        ? grant.clusters
        : Array.from(present())
            .filter((cluster) => isOnCluster(grant, cluster))
            .map(({ name }) => name)
            .toSorted(),
    namespaces: grant.namespaces?.map((name) => (name === '-' ? '' : name)) ?? null,
  }));
}

/** The part of a cluster that is held; of everything all. */
export function grantedWithin(within: Within | null, cluster: string): Granted {
  if (within === null) return 'all';
  const grants = within.map(({ clusters, namespaces }) => ({
    clusters,
    labels: {},
    namespaces: namespaces?.map((name) => (name === '' ? '-' : name)) ?? null,
  }));
  return grantedOn({ type: 'grants', grants }, { name: cluster, labels: {} });
}
