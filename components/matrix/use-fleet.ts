'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FleetView, WireFleet } from '#lib/api/fleet.ts';
import { applyFleetFrame } from '../queries/fleet-frames.ts';
import { fleetQuery } from '../queries/fleet.ts';
import { useFrames } from '../shell/live/live.tsx';
import { useAtParam } from '../shell/moment/moment.tsx';
import { paramsOf } from './view-state.ts';

/** What the server sent with the page: a fleet, and the view that it answers. */
export interface SentFleet {
  readonly view: FleetView;
  readonly fleet: WireFleet;
}

/** The fleet for a view: what came with the page at first, kept current by the stream's frames. */
export function useFleet(view: FleetView, sent: SentFleet) {
  const client = useQueryClient();
  const at = useAtParam();
  const params = { ...paramsOf(view), ...at };
  const options = fleetQuery(params);
  const sameView = JSON.stringify(paramsOf(view)) === JSON.stringify(paramsOf(sent.view));
  const query = useQuery({ ...options, ...(sameView ? { initialData: sent.fleet } : {}) });
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
