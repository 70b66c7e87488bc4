'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { WireObjectPage, WireRef } from '#lib/api/object.ts';
import { objectQuery } from '../queries/object.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { useFrames } from '../shell/live.tsx';

const pause = 1000;
/** Ticks come every 10 s: what the object stands on is asked for again each minute. */
const ticksToRefetch = 6;

/** The object as it came with the page, kept current by the stream: its own changes at once, what surrounds it right after. */
export function useObject(sent: WireObjectPage) {
  const client = useQueryClient();
  const options = objectQuery(refOf(sent));
  const query = useQuery({ ...options, initialData: sent });
  const refetch = useRefetch(options.queryKey, pause);
  const ticks = useRef(0);
  const [removed, setRemoved] = useState(false);
  useFrames((frame) => {
    switch (frame.type) {
      case 'object': {
        setRemoved(false);
        const before = client.getQueryData(options.queryKey);
        if (before !== undefined) {
          client.setQueryData(options.queryKey, { ...before, object: frame.object, message: frame.object.message });
        }
        refetch();
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
      case 'cluster':
    }
  });
  return { page: query.data, removed, error: query.error };
}

function refOf({ object }: WireObjectPage): WireRef {
  const { cluster, group, kind, namespace, name } = object;
  return { cluster, group, kind, namespace, name };
}
