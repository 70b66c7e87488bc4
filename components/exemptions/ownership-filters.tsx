'use client';

import { wordsOf } from '#lib/api/params.ts';
import { FilterChoice, FilterField, FoldedFilters } from '../ui/list/filters.tsx';
import { type OwnershipFilter, filterFrom } from './ownership-filter.ts';
import { parseAsString, useQueryStates } from 'nuqs';

/** One kind of what the list holds. */
export interface IndexedKind {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

export type Offer = Readonly<Record<'cluster' | 'kind' | 'namespace' | 'by', readonly string[]>>;

interface OwnershipFiltersProps {
  readonly filter: OwnershipFilter;
  readonly change: ChangeFilter;
  /** Values to offer, from what stands in the list. */
  readonly offer: Offer;
  readonly byLabel: string;
  /** The kinds of what is listed: a choice of one, where the index beside the list has no room. */
  readonly kinds: readonly IndexedKind[];
  readonly kindOf: 'exemption' | 'conflict';
}

/** Filters of a list of exemptions or conflicts. */
export function OwnershipFilters({ filter, change, offer, byLabel, kinds, kindOf }: OwnershipFiltersProps) {
  const chosen = kinds.find(({ id }) => id === filter[kindOf]);
  return (
    <FoldedFilters
      first={<FilterField id="search" wide label="Search" value={filter.q} onChange={(q) => change({ q })} />}
    >
      <span className="kind-choice">
        <FilterChoice
          label={kindOf === 'exemption' ? 'Exemption' : 'Conflict'}
          value={chosen?.title ?? (filter[kindOf] === '' ? '' : 'several')}
          offer={kinds.map(({ title }) => title)}
          onChange={(title) => change({ [kindOf]: kinds.find((kind) => kind.title === title)?.id ?? '' })}
        />
      </span>
      <FilterField
        label="Cluster"
        value={filter.cluster}
        offer={offer.cluster}
        onChange={(cluster) => change({ cluster })}
      />
      <FilterField label="Kind" value={filter.kind} offer={offer.kind} onChange={(kind) => change({ kind })} />
      <FilterField
        label="Namespace"
        value={filter.namespace}
        offer={offer.namespace}
        onChange={(namespace) => change({ namespace })}
      />
      <FilterField label={byLabel} value={filter.by} offer={offer.by} onChange={(by) => change({ by })} />
    </FoldedFilters>
  );
}

/** The kinds of which there is any, or that are asked for (`shown`, with commas), with their counts. */
export function indexedKinds<Kind extends string>(
  all: readonly Kind[],
  titles: Readonly<Record<Kind, string>>,
  counts: readonly { readonly kind: string; readonly count: number }[],
  shown: string,
) {
  const countOf = new Map(counts.map(({ kind, count }) => [kind, count]));
  return all
    .map((id) => ({ id, title: titles[id], count: countOf.get(id) ?? 0 }))
    .filter(({ id, count }) => count > 0 || wordsOf(shown).includes(id));
}

/** The different texts of a list, in order, without the empty one. */
export function offered(values: readonly (string | null)[]): readonly string[] {
  const texts = values.flatMap((text) => (text === null || text === '' ? [] : [text]));
  return [...new Set(texts)].toSorted();
}

const text = parseAsString.withDefault('');
const parsers = { q: text, cluster: text, kind: text, namespace: text, exemption: text, conflict: text, by: text };

export type ChangeFilter = (change: Partial<OwnershipFilter>) => void;

/** The filter in the URL, without what cannot be read there, and how to change it; changing it replaces the entry in the history. */
export function useOwnershipFilter(): readonly [OwnershipFilter, ChangeFilter] {
  const [filter, setFilter] = useQueryStates(parsers, { history: 'replace' });
  return [filterFrom(filter), (change) => void setFilter(change)];
}
