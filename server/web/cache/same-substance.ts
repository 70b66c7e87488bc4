import type { CurrentCluster } from '#lib/domain/record/current.ts';

/** True if two records of a cluster differ in nothing but times that a living session renews all the time. */
export function sameSubstance(a: CurrentCluster, b: CurrentCluster): boolean {
  return substance(a) === substance(b);
}

function substance(cluster: CurrentCluster): string {
  return JSON.stringify([
    cluster.labels,
    cluster.state,
    cluster.since,
    cluster.reason,
    cluster.protocol,
    cluster.version,
    cluster.feeds.map((feed) => [
      feed.group,
      feed.kind,
      feed.version,
      feed.state,
      feed.since,
      feed.reason,
      feed.objects,
    ]),
    cluster.controllers.map((controller) => [
      controller.namespace,
      controller.name,
      controller.state,
      controller.holder,
      controller.transitions,
      controller.version,
      controller.deployment,
      controller.objects,
    ]),
    cluster.looks?.kinds,
    cluster.clockAhead,
    cluster.unread,
    cluster.conflicts,
    cluster.conflictsTotal,
  ]);
}
