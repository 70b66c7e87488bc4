'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { runningApi, type WireRunning } from '#lib/api/commit.ts';
import { minute } from '#lib/domain/time/length.ts';
import { endpointQuery } from '../../queries/endpoint-query.ts';
import { useRefetch } from '../../queries/use-refetch.ts';
import { useFrames } from '../../shell/live/live.tsx';
import { useMoment } from '../../shell/moment/moment.tsx';
import { shadesOf, type Shades } from './shades.ts';

const pause = 5_000;

/** Commits that run and their shades, asked for again as the fleet changes and mirrors are fetched. Of the past none is told. */
export function useShades(): { readonly running: WireRunning | undefined; readonly shades: Shades } {
  const past = useMoment() !== null;
  const options = endpointQuery(runningApi, {});
  const { data } = useQuery({ ...options, enabled: !past, refetchInterval: minute });
  const refetch = useRefetch(options.queryKey, pause);
  useFrames((frame) => {
    if (!past && (frame.type === 'rows' || frame.type === 'reset')) refetch();
  });
  const running = past ? undefined : data;
  // Of an answer that tells nothing new the query keeps the list that was there: then no cell is drawn again.
  const commits = running?.commits;
  const shades = useMemo(() => shadesOf(commits ?? []), [commits]);
  return { running, shades };
}
