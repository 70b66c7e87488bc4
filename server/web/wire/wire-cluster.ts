import type { WireCluster } from '#lib/api/cluster.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { cutText } from '#lib/domain/alarm/alarming/bounds.ts';
import { controllerAlive } from '#lib/domain/verdict/as-known-at.ts';
import type { CurrentCluster, CurrentController } from '#lib/domain/record/current.ts';
import { wireCounts } from '#server/web/wire/wire-row.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { wirePlannedWork, wireTime, wireTimeOrNull } from './wire-time.ts';

/** A cluster on the wire as known at `now` (ms). `record` is the stored one, null while only objects of it have come. */
export function wireCluster(known: KnownCluster, record: CurrentCluster | null, now: number): WireCluster {
  const cut = cutText(known.alarming);
  const plannedWork = wirePlannedWork(known.plannedWork);
  return {
    name: known.name,
    labels: { ...known.labels },
    state: known.known.state,
    since: wireTime(known.known.since),
    bound: known.known.bound,
    reason: known.known.reason,
    protocol: record?.protocol ?? null,
    version: record?.version ?? null,
    lastWordAt: wireTimeOrNull(record?.lastWordAt ?? null),
    feeds: (record?.feeds ?? []).map((feed) => ({
      group: feed.group,
      kind: feed.kind,
      version: feed.version,
      state: feed.state,
      since: wireTime(feed.since),
      reason: feed.reason,
      lastWordAt: wireTimeOrNull(feed.lastWordAt),
      objects: feed.objects,
    })),
    cautions: [...known.known.cautions, ...(cut === null ? [] : [cut])],
    clockAheadMs: record?.clockAhead ?? null,
    probes: record?.probes ? { kinds: record.probes.kinds, longestMs: record.probes.longest } : null,
    unread: [...(record?.unread ?? [])],
    controllers: (record?.controllers ?? []).map((controller) => ({
      namespace: controller.namespace,
      name: controller.name,
      lease: controller.lease,
      state: controllerState(controller, known, now),
      lastMovedAt: wireTimeOrNull(controller.lastMovedAt),
      durationSeconds: controller.durationSeconds,
      holder: controller.holder,
      transitions: controller.transitions,
      version: controller.version,
      deployment: known.known.state === 'live' ? controller.deployment : 'unknown',
      objects: controller.objects,
    })),
    objects: known.objects.length,
    counts: wireCounts(known.counts),
    declared: known.guarantee.declared,
    worst: known.worst,
    plannedWork: plannedWork && { ...plannedWork, objects: known.guarantee.planned },
    links: { self: clusterPath(known.name) },
  };
}

/** Nobody who does not see a cluster may call its controllers alive, or dead. */
function controllerState(controller: CurrentController, known: KnownCluster, now: number): CurrentController['state'] {
  if (known.known.state !== 'live') return 'unknown';
  return controller.state === 'alive' && !controllerAlive(controller, now) ? 'unknown' : controller.state;
}
