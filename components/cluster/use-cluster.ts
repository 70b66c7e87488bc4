'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { WireCluster, WireClusterPage } from '#lib/api/cluster.ts';
import { clusterQuery } from '../queries/cluster.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { useFrames } from '../shell/live.tsx';

const pause = 2000;
/** Ticks come every 10 s: what changes without changing a count is asked for each half minute. */
const ticksToRefetch = 3;

/** The cluster as it came with the page, kept current by the stream; its objects are asked for again when its counts change. */
export function useCluster(sent: WireClusterPage) {
  const client = useQueryClient();
  const options = clusterQuery(sent.cluster.name);
  const query = useQuery({ ...options, initialData: sent });
  const refetch = useRefetch(options.queryKey, pause);
  const ticks = useRef(0);
  const [removed, setRemoved] = useState(false);
  useFrames((frame) => {
    switch (frame.type) {
      case 'cluster': {
        setRemoved(false);
        const before = client.getQueryData(options.queryKey);
        if (before === undefined) return;
        client.setQueryData(options.queryKey, { ...before, cluster: frame.cluster });
        if (substance(before.cluster) !== substance(frame.cluster)) refetch();
        return;
      }
      case 'removed':
        setRemoved(true);
        return;
      case 'reset':
        refetch();
        return;
      case 'tick':
        ticks.current += 1;
        if (ticks.current % ticksToRefetch === 0) refetch();
        return;
      case 'head':
      case 'rows':
      case 'object':
    }
  });
  return { page: query.data, removed, error: query.error };
}

function substance({ state, counts, objects, controllers }: WireCluster): string {
  return JSON.stringify([state, counts, objects, controllers.map((controller) => controller.state)]);
}
