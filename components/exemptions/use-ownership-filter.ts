'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import { filterFrom, type OwnershipFilter } from './ownership-filter.ts';

const text = parseAsString.withDefault('');
const parsers = { q: text, cluster: text, kind: text, namespace: text, exemption: text, conflict: text, by: text };

export type ChangeFilter = (change: Partial<OwnershipFilter>) => void;

/** The filter in the URL, without what cannot be read there, and how to change it; changing it replaces the entry in the history. */
export function useOwnershipFilter(): readonly [OwnershipFilter, ChangeFilter] {
  const [filter, setFilter] = useQueryStates(parsers, { history: 'replace' });
  return [filterFrom(filter), (change) => void setFilter(change)];
}
