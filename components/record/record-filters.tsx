'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import type { ReactNode } from 'react';
import { FilterField, Filters } from '../ui/list/filters.tsx';
import type { RecordFilter } from './record-filter.ts';

const text = parseAsString.withDefault('');
const parsers = { cluster: text, group: text, kind: text, namespace: text, name: text };

type ChangeRecordFilter = (change: Partial<RecordFilter>) => void;

/** The filter in the URL and how to change it; changing it replaces the entry in the history. */
export function useRecordFilter(): readonly [RecordFilter, ChangeRecordFilter] {
  const [filter, set] = useQueryStates(parsers, { history: 'replace' });
  return [filter, (change) => void set(change)];
}

interface RecordFiltersProps {
  readonly filter: RecordFilter;
  readonly change: ChangeRecordFilter;
  /** Filters of one page alone. */
  readonly children?: ReactNode;
}

/** Of what the record is looked at. */
export function RecordFilters({ filter, change, children }: RecordFiltersProps) {
  return (
    <Filters>
      <FilterField id="search" label="Cluster" value={filter.cluster} onChange={(cluster) => change({ cluster })} />
      {/* The group belongs to the kind that was there before. */}
      <FilterField wide label="Kind" value={filter.kind} onChange={(kind) => change({ kind, group: '' })} />
      <FilterField label="Namespace" value={filter.namespace} onChange={(namespace) => change({ namespace })} />
      <FilterField label="Name" value={filter.name} onChange={(name) => change({ name })} />
      {children}
    </Filters>
  );
}
