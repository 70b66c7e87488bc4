'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireObjectList } from '#lib/api/object.ts';
import { objectsQuery } from '../queries/objects.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { useFrames } from '../shell/live.tsx';
import { filterParams, type ListFilter } from './list-filter.ts';

/** What the server sent with the page: a list, and the filter that it answers. */
export interface SentList {
  readonly filter: ListFilter;
  readonly list: WireObjectList;
}

const pause = 3000;

/**
 * The list for a filter, page by page. It is asked for again when the fleet changes; where more than one page is loaded
 * only when the reader says so, so that nothing moves under the eyes.
 */
export function useObjects(filter: ListFilter, sent: SentList) {
  const params = filterParams(filter);
  const options = objectsQuery(params);
  const same = JSON.stringify(params) === JSON.stringify(filterParams(sent.filter));
  const query = useInfiniteQuery({
    ...options,
    ...(same ? { initialData: { pages: [sent.list], pageParams: [''] } } : {}),
  });
  const refetch = useRefetch(options.queryKey, pause);
  const [changed, setChanged] = useState(false);
  const pages = query.data?.pages ?? [sent.list];
  useFrames((frame) => {
    if (frame.type !== 'head' && frame.type !== 'reset') return;
    if (pages.length > 1) setChanged(true);
    else refetch();
  });
  return {
    pages,
    changed,
    again: () => {
      setChanged(false);
      refetch();
    },
    waiting: query.isPlaceholderData || query.data === undefined,
    error: query.error,
    more: query.hasNextPage && !query.isPlaceholderData ? () => void query.fetchNextPage() : null,
    loadingMore: query.isFetchingNextPage,
  };
}
