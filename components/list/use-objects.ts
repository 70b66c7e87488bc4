'use client';

import type { WireObjectList } from '#lib/api/object.ts';
import { objectsApi } from '#lib/api/object-filter.ts';
import { usePagedList, type PagedList } from '../queries/use-paged-list.ts';
import { useAtParam } from '../shell/moment/moment.tsx';
import { filterParams, type ListFilter } from './list-filter.ts';

/** List sent by the server with the page, and the filter that it answers. */
export interface SentList {
  readonly filter: ListFilter;
  readonly list: WireObjectList;
}

/** The objects that a filter keeps, page by page. */
export function useObjects(filter: ListFilter, sent: SentList): PagedList<WireObjectList> {
  const at = useAtParam();
  return usePagedList({
    endpoint: objectsApi,
    params: { ...filterParams(filter), ...at },
    sent: { params: { ...filterParams(sent.filter), ...at }, list: sent.list },
  });
}
