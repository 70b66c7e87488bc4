'use client';

import { keepPreviousData, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { historyApi, type WireHistory } from '#lib/api/history.ts';
import type { Last } from '#lib/api/params.ts';
import { getJson } from '../queries/endpoint-query.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { uniqueRows } from '../queries/use-paged-list.ts';
import { useFrames } from '../shell/live/live.tsx';
import { useAtParam } from '../shell/moment/moment.tsx';
import { historyParams } from '../record/shown-period.ts';
import { usePeriod } from '../record/zoom-bar.tsx';

/** Timelines as the server sent them with the page, and what they answer; null where the record could not be read. */
export interface SentHistory {
  readonly params: Readonly<Record<string, string>>;
  readonly history: WireHistory | null;
}

const pause = 5000;
/** Ticks come every 10 s: after three of them what goes on has grown by a pixel of the shortest period. */
const ticks = 3;

/**
 * Timelines for a filter and a period, asked for again while they go on. While others are on their way those before stay in
 * sight. `params` are those of the API.
 */
function useHistory(params: Readonly<Record<string, string>>, sent: SentHistory) {
  const asked = new URLSearchParams(params).toString();
  const queryKey = [historyApi.path, asked];
  const same = asked === new URLSearchParams(sent.params).toString();
  const query = useInfiniteQuery<WireHistory, Error, InfiniteData<WireHistory, string>, string[], string>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      getJson(historyApi, { ...params, ...(pageParam === '' ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    ...(same && sent.history !== null ? { initialData: { pages: [sent.history], pageParams: [''] } } : {}),
  });
  const refetch = useRefetch(queryKey, pause);
  const received = useRef(0);
  const goesOn = params['to'] === undefined;
  useFrames((frame) => {
    if (!goesOn) return;
    if (frame.type === 'tick') received.current += 1;
    if (frame.type === 'object' || frame.type === 'reset' || (frame.type === 'tick' && received.current % ticks === 0))
      refetch();
  });
  const [first, ...more] = query.data?.pages ?? (sent.history === null ? [] : [sent.history]);
  return {
    /** All pages as one; null where there is none. */
    history: first === undefined ? null : joined(first, more),
    waiting: query.isPlaceholderData || (query.data === undefined && query.isFetching),
    error: query.error,
    more: query.hasNextPage && !query.isPlaceholderData ? () => void query.fetchNextPage() : null,
    loadingMore: query.isFetchingNextPage,
  };
}

/** All pages as one. */
function joined(first: WireHistory, more: readonly WireHistory[]): WireHistory {
  if (more.length === 0) return first;
  const all = [first, ...more].flatMap((page) => page.lanes);
  const lanes = uniqueRows(all, ({ key }) => key);
  return { ...first, lanes, nextCursor: more.at(-1)?.nextCursor ?? null };
}

/** Width (px) that lanes are made for where nobody has measured. */
const madeFor = 1000;
const step = 200;

/** The timelines of a filter over the period in the URL, made for the width that they are shown in; `rows` of each lane for a table. */
export function useTimeline(
  filter: Readonly<Record<string, string>>,
  usual: Last,
  sent: SentHistory,
  rows: Readonly<Record<'rows', string>>,
) {
  const [asked, change] = usePeriod();
  const [width, setWidth] = useState(madeFor);
  const params = { ...historyParams(filter, asked, usual, useAtParam()), ...rows };
  const list = useHistory(width === madeFor ? params : { ...params, width: String(width) }, sent);
  // What was made for about this width shows nothing that this width could not.
  const onWidth = (seen: number): void => {
    if (seen > width * 1.5 || seen < width * 0.75)
      setWidth(Math.min(4000, Math.max(step, Math.round(seen / step) * step)));
  };
  return { asked, change, usual, onWidth, params, ...list };
}

/** A timeline with its period and what moves it. */
export type ShownTimeline = ReturnType<typeof useTimeline>;
