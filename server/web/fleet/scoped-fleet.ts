import { clusterMatcher, type Scope } from '#lib/api/scope.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { narrowed, type KnownCluster } from '../cache/known-cluster.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';
import { objectMatcher } from '../wire/lists/object-matcher.ts';

interface Kept {
  readonly stamp: number;
  readonly cluster: KnownCluster | null;
}

/** Part of one cluster that a scope keeps, as known at `now` (ms); null where that is nothing. */
export function keptOf(scope: Scope, cluster: KnownCluster, policy: Policy, now: number): KnownCluster | null {
  if (!clusterMatcher(scope)(cluster)) return null;
  const keeps = objectMatcher(scope);
  return keeps === null ? cluster : narrowed(cluster, scope, keeps, policy, now);
}

/**
 * The part of a fleet that a scope keeps, as if it were all: what it is asked for is made from what changed since. A cluster stays in
 * it where anything that is known there is kept, or where what would be kept may be hidden.
 */
export function scopedFleet(scope: Scope, fleet: KnownFleet, policy: Policy): KnownFleet {
  const keeps = objectMatcher(scope);
  if (keeps === null && scope.cluster === '' && scope.label === '') return fleet;
  const keepsCluster = clusterMatcher(scope);
  const kept = new Map<string, Kept>();
  let last: { readonly stamp: number; readonly clusters: readonly KnownCluster[] } | null = null;

  function part(cluster: KnownCluster, now: number): KnownCluster | null {
    if (!keepsCluster(cluster)) return null;
    if (keeps === null) return cluster;
    const found = kept.get(cluster.name);
    if (found?.stamp === cluster.stamp) return found.cluster;
    const made = narrowed(cluster, scope, keeps, policy, now);
    kept.set(cluster.name, { stamp: cluster.stamp, cluster: made });
    return made;
  }

  function all(now: number): readonly KnownCluster[] {
    const clusters = fleet.all(now);
    const stamp = fleet.stamp(now);
    if (last?.stamp === stamp) return last.clusters;
    const names = new Set(clusters.map(({ name }) => name));
    for (const name of kept.keys()) if (!names.has(name)) kept.delete(name);
    last = { stamp, clusters: clusters.flatMap((cluster) => part(cluster, now) ?? []) };
    return last.clusters;
  }

  return {
    all,
    stamp: fleet.stamp,
    cluster: (name, now) => all(now).find((cluster) => cluster.name === name) ?? null,
  };
}
