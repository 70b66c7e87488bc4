'use client';

import { keepPreviousData, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { StreamFrame } from '#lib/api/stream.ts';
import { useFrames } from '../shell/live/live.tsx';
import { useRefetch } from './use-refetch.ts';

interface LivePageDeps<Page> {
  readonly options: UseQueryOptions<Page, Error, Page, string[]>;
  /** Page sent by the server. */
  readonly sent: Page;
  /** ms between two times that it is asked for again. */
  readonly pause: number;
  /** Ticks come every 10 s; after so many everything is asked for again, for what no frame tells. */
  readonly ticks: number;
  /** The page after a frame that speaks of it, and whether the rest must be asked for again; null for any other frame. */
  readonly take: (page: Page, frame: StreamFrame) => { readonly page: Page; readonly again: boolean } | null;
}

/** A page of one thing as it came with the page, kept current by the stream; `removed` where the thing is gone. */
export function useLivePage<Page>(deps: LivePageDeps<Page>) {
  const { options, sent, pause, ticks, take } = deps;
  const client = useQueryClient();
  // What was sent answers the question that the page came with; while another is asked, what stood there before stays.
  const [sentFor] = useState(JSON.stringify(options.queryKey));
  const isSent = sentFor === JSON.stringify(options.queryKey);
  const query = useQuery({
    ...options,
    initialData: () => (isSent ? sent : undefined),
    placeholderData: keepPreviousData,
  });
  const refetch = useRefetch(options.queryKey, pause);
  const received = useRef(0);
  const [removed, setRemoved] = useState(false);
  useFrames((frame) => {
    switch (frame.type) {
      case 'removed':
        setRemoved(true);
        return;
      case 'reset':
        refetch();
        return;
      case 'tick':
        received.current += 1;
        if (received.current % ticks === 0) refetch();
        return;
      case 'cluster':
      case 'object': {
        const before = client.getQueryData<Page>(options.queryKey);
        const taken = before === undefined ? null : take(before, frame);
        if (taken === null) return;
        setRemoved(false);
        client.setQueryData<Page>(options.queryKey, () => taken.page);
        if (taken.again) refetch();
        return;
      }
      case 'summary':
      case 'rows':
      case 'incidents':
    }
  });
  return { page: query.data ?? sent, removed, error: query.error };
}
