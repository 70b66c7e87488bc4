'use client';

import type { WireObjectList } from '#lib/api/object.ts';
import { objectsApi } from '#lib/api/object-filter.ts';
import { usePagedList, type PagedList } from '../queries/use-paged-list.ts';
import { useAtParam } from '../shell/moment/moment.tsx';
import { filterParams, type ListFilter, filterFrom } from './list-filter.ts';
import { parseAsString, useQueryStates } from 'nuqs';

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

const text = parseAsString.withDefault('');

const parsers = {
  q: text,
  cluster: text,
  label: text,
  reconciler: text,
  group: text,
  kind: text,
  namespace: text,
  name: text,
  verdict: text,
  silent: text,
  guarantee: text,
  drift: text,
};

export type ChangeFilter = (change: Partial<ListFilter>) => void;

/** The filter in the URL, without what cannot be read there, and how to change it; changing it replaces the entry in the history. */
export function useListFilter(): readonly [ListFilter, ChangeFilter] {
  const [filter, setFilter] = useQueryStates(parsers, { history: 'replace' });
  return [filterFrom(filter), (change) => void setFilter(change)];
}
