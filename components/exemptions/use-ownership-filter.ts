'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import type { OwnershipFilter } from './ownership-filter.ts';

const text = parseAsString.withDefault('');
const parsers = { q: text, cluster: text, kind: text, namespace: text, exemption: text, conflict: text, by: text };

export type ChangeFilter = (change: Partial<OwnershipFilter>) => void;

/** The filter in the URL and how to change it; changing it replaces the entry in the history. */
export function useOwnershipFilter(): readonly [OwnershipFilter, ChangeFilter] {
  const [filter, setFilter] = useQueryStates(parsers, { history: 'replace' });
  return [filter, (change) => void setFilter(change)];
}
