'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import { filterFrom, type ListFilter } from './list-filter.ts';

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
