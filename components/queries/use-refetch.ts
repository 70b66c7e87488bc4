'use client';

import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';

/**
 * Asks for a page's data again when told to, at most once in `pause` ms: the first time at once, of what comes meanwhile
 * only the last counts.
 */
export function useRefetch(queryKey: QueryKey, pause: number): () => void {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  const last = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [key],
  );
  return useCallback(() => {
    const ask = () => {
      timer.current = null;
      last.current = performance.now();
      void client.invalidateQueries({ predicate: (query) => JSON.stringify(query.queryKey) === key });
    };
    if (timer.current !== null) return;
    const left = last.current + pause - performance.now();
    if (left <= 0) ask();
    else timer.current = setTimeout(ask, left);
  }, [client, key, pause]);
}
