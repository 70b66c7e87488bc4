'use client';

import type { WireCluster, WireClusterPage } from '#lib/api/cluster.ts';
import { clusterQuery } from '../queries/cluster.ts';
import { useAtParam } from '../shell/moment.tsx';
import { useLivePage } from '../queries/use-live-page.ts';

/** The cluster as it came with the page, kept current by the stream; its objects are asked for again when its counts change. */
export function useCluster(sent: WireClusterPage) {
  return useLivePage({
    options: clusterQuery(sent.cluster.name, useAtParam()),
    sent,
    pause: 2000,
    ticks: 3,
    take(page, frame) {
      if (frame.type !== 'cluster') return null;
      return {
        page: { ...page, cluster: frame.cluster },
        again: substance(page.cluster) !== substance(frame.cluster),
      };
    },
  });
}

function substance({ state, counts, objects, controllers }: WireCluster): string {
  return JSON.stringify([state, counts, objects, controllers.map((controller) => controller.state)]);
}
