'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { fleetApi, type FleetView, type WireFleet } from '#lib/api/fleet.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useFrames } from '../shell/live/live.tsx';
import { useAtParam } from '../shell/moment/moment.tsx';
import { paramsOf } from './view-state.ts';
import type { StreamFrame } from '#lib/api/stream.ts';
import { useEffect, useRef } from 'react';
import { useVoice } from '../shell/live/live-region.tsx';

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

/** The fleet after a frame; the same one where the frame says nothing of it, 'again' where everything must be asked for again. */
export function applyFleetFrame(fleet: WireFleet, frame: StreamFrame): WireFleet | 'again' {
  switch (frame.type) {
    case 'reset':
      return 'again';
    case 'summary':
      return { ...fleet, summary: frame.summary };
    case 'rows':
      return withRows(fleet, frame);
    case 'tick':
    case 'cluster':
    case 'object':
    case 'removed':
    case 'incidents':
      return fleet;
  }
}

type RowsFrame = Extract<StreamFrame, { type: 'rows' }>;

function withRows(fleet: WireFleet, frame: RowsFrame): WireFleet | 'again' {
  const columns = frame.columns ?? fleet.columns;
  const base = frame.columns === null ? fleet.rows : [];
  const rows = new Map(base.map((row) => [row.cluster, row]));
  for (const row of frame.rows) rows.set(row.cluster, row);
  if (frame.order === null) return { ...fleet, columns, rows: [...rows.values()] };
  const ordered = frame.order.flatMap((cluster) => rows.get(cluster) ?? []);
  return ordered.length === frame.order.length ? { ...fleet, columns, rows: ordered } : 'again';
}

/** Says the sentence when it changes, and at once when an object has newly become silent. */
export function useAnnouncements(fleet: WireFleet): void {
  const { announce, interrupt } = useVoice();
  const { guarantee, causes } = fleet.summary;
  const sentence = `${guarantee.lead} ${guarantee.body}`.trim();
  const last = useRef({ sentence, broken: guarantee.broken });
  useEffect(() => {
    const before = last.current;
    last.current = { sentence, broken: guarantee.broken };
    if (guarantee.broken > before.broken) {
      const silent = causes.find((cause) => cause.alarm === 'silent');
      interrupt(
        silent === undefined ? sentence : `${silent.title}: ${silent.verdict}, and nobody is being called. ${sentence}`,
      );
    } else if (sentence !== before.sentence) announce(sentence);
  }, [announce, interrupt, sentence, guarantee.broken, causes]);
}
