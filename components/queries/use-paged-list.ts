'use client';

import { keepPreviousData, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { Endpoint } from '#lib/api/endpoint.ts';
import type { StreamFrame } from '#lib/api/stream.ts';
import { useFrames } from '../shell/live/live.tsx';
import { getJson } from './endpoint-query.ts';
import { useRefetch } from './use-refetch.ts';

/** A list of the API that comes page by page. */
interface Page {
  readonly nextCursor: string | null;
}

interface PagedListOptions<List extends Page> {
  readonly endpoint: Endpoint<z.ZodObject, z.ZodType<List>>;
  /** The filter as parameters of the API. */
  readonly params: Readonly<Record<string, string>>;
  /** The first page as the server sent it with the page that shows it, and what it answers. */
  readonly sent: { readonly params: Readonly<Record<string, string>>; readonly list: List };
  /** True if a frame says that the list, whose first page this is, may be another now; of any change of the fleet where absent. */
  readonly hears?: (frame: StreamFrame, first: List) => boolean;
  /** The parameter that takes the cursor of the page before; `cursor` where absent. */
  readonly cursorParam?: string;
}

function ofTheFleet({ type }: StreamFrame): boolean {
  return type === 'summary' || type === 'reset';
}

/** The pages of a list that are there, and how to have more. */
export interface PagedList<List> {
  readonly pages: readonly List[];
  /** The first of them: what is said of the whole list. */
  readonly first: List;
  /** The fleet has changed since, and what is read is not moved under the eyes. */
  readonly changed: boolean;
  readonly again: () => void;
  /** True while what stands here is of another filter. */
  readonly waiting: boolean;
  readonly error: Error | null;
  readonly more: (() => void) | null;
  readonly loadingMore: boolean;
}

const pause = 3000;

/**
 * A list for a filter, page by page. It is asked for again when the fleet changes; where more than one page is loaded only
 * when the reader says so. While another filter's answer is on its way the one before stays in sight.
 */
export function usePagedList<List extends Page>(options: PagedListOptions<List>): PagedList<List> {
  const { endpoint, params, sent, hears = ofTheFleet, cursorParam = 'cursor' } = options;
  const asked = new URLSearchParams(params).toString();
  const queryKey = [endpoint.path, asked];
  const same = JSON.stringify(params) === JSON.stringify(sent.params);
  const query = useInfiniteQuery<List, Error, InfiniteData<List, string>, string[], string>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      getJson(endpoint, { ...params, ...(pageParam === '' ? {} : { [cursorParam]: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    ...(same ? { initialData: { pages: [sent.list], pageParams: [''] } } : {}),
  });
  const refetch = useRefetch(queryKey, pause);
  const [changed, setChanged] = useState(false);
  const pages = query.data?.pages ?? [sent.list];
  const first = pages[0] ?? sent.list;
  useFrames((frame) => {
    if (!hears(frame, first)) return;
    if (pages.length > 1) setChanged(true);
    else refetch();
  });
  return {
    pages,
    first,
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

/** Pages that were read at different moments may both hold a row: its first place counts. */
export function uniqueRows<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const before = seen.size;
    return seen.add(keyOf(row)).size > before;
  });
}
