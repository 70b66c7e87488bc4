'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import type { RecordFilter } from './record-filter.ts';

const text = parseAsString.withDefault('');
const parsers = { cluster: text, group: text, kind: text, namespace: text, name: text };

export type ChangeRecordFilter = (change: Partial<RecordFilter>) => void;

/** The filter in the URL and how to change it; changing it replaces the entry in the history. */
export function useRecordFilter(): readonly [RecordFilter, ChangeRecordFilter] {
  const [filter, set] = useQueryStates(parsers, { history: 'replace' });
  return [filter, (change) => void set(change)];
}
