'use client';

import { clusterApi, type WireCluster, type WireClusterPage } from '#lib/api/cluster.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { parseAsString, useQueryStates } from 'nuqs';
import { useAtParam } from '../shell/moment/moment.tsx';
import { useLivePage } from '../queries/use-live-page.ts';

const text = parseAsString.withDefault('');
/** Part of the cluster that the page is about, as it stands in the URL. */
export const clusterScopeParsers = { kind: text, namespace: text, q: text };

/** The cluster as it came with the page, kept current by the stream; its objects are asked for again when its counts change. */
export function useCluster(sent: WireClusterPage) {
  const [scope] = useQueryStates(clusterScopeParsers);
  const set = Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== ''));
  return useLivePage({
    options: endpointQuery(clusterApi, { name: sent.cluster.name, ...set, ...useAtParam() }),
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
