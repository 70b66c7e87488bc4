'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { fleetApi, type FleetView, type WireFleet } from '#lib/api/fleet.ts';
import { applyFleetFrame } from '../queries/fleet-frames.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useFrames } from '../shell/live/live.tsx';
import { useAtParam } from '../shell/moment/moment.tsx';
import { paramsOf } from './view-state.ts';

/** Fleet sent by the server with the page, and the view that it answers. */
export interface SentFleet {
  readonly view: FleetView;
  readonly fleet: WireFleet;
}

/** The fleet for a view: what came with the page at first, kept current by the stream's frames. */
export function useFleet(view: FleetView, sent: SentFleet) {
  const client = useQueryClient();
  const at = useAtParam();
  const params = { ...paramsOf(view), ...at };
  const options = endpointQuery(fleetApi, params);
  const sameView = JSON.stringify(paramsOf(view)) === JSON.stringify(paramsOf(sent.view));
  // While another view is on its way the one before stays in sight.
  const query = useQuery({
    ...options,
    placeholderData: keepPreviousData,
    ...(sameView ? { initialData: sent.fleet } : {}),
  });
  useFrames((frame) => {
    const before = client.getQueryData(options.queryKey);
    if (before === undefined) return;
    const after = applyFleetFrame(before, frame);
    if (after === 'again') void client.invalidateQueries({ queryKey: options.queryKey });
    else if (after !== before) client.setQueryData(options.queryKey, after);
  });
  return {
    fleet: query.data ?? sent.fleet,
    waiting: query.isPlaceholderData || query.data === undefined,
    error: query.error,
  };
}
