'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import { causeTypes } from '#lib/api/object.ts';
import { minute } from '#lib/domain/time/length.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { useRecordFilter } from '../record/record-filters.tsx';
import { useSeesAll } from '../shell/viewer/viewer.tsx';
import { FilterChoice, FilterField, FoldedFilters } from '../ui/list/filters.tsx';
import { calledChoice, incidentPartsFrom, type IncidentNames } from './incident-filter.ts';

const text = parseAsString.withDefault('');
const parsers = {
  label: text,
  verdict: text,
  cause: text,
  open: text,
  objects: text,
  minutes: text,
  called: text,
  order: text,
};

type ChangeFilter = (change: Partial<IncidentNames>) => void;

/** The filter in the URL, without what cannot be read there, and how to change it; changing it replaces the entry in the history. */
export function useIncidentFilter(): readonly [IncidentNames, ChangeFilter] {
  const [record, changeRecord] = useRecordFilter();
  const [found, setParts] = useQueryStates(parsers, { history: 'replace' });
  const change: ChangeFilter = ({ cluster, group, kind, namespace, name, ...parts }) => {
    const names = Object.entries({ cluster, group, kind, namespace, name }).filter(([, value]) => value !== undefined);
    if (names.length > 0) changeRecord(Object.fromEntries(names));
    const set = Object.entries(parts).map(([part, value]) => [part, value === '' ? null : value]);
    if (set.length > 0) void setParts(Object.fromEntries(set));
  };
  return [{ ...record, ...incidentPartsFrom(found) }, change];
}

const states = { true: 'ongoing', false: 'over' } as const;
const sizes = ['2', '5', '20', '100', '1000'];
const lengths = ['10', '60', '240', '1440'];

/** Minutes as a length, as the choice has them: "1 h". */
function lengthOf(minutes: string): string {
  return minutes === '' ? '' : formatDuration(Number(minutes) * minute);
}

const calledNames = ['yes', 'no', 'unknown'] as const;

function calledWords(value: string): string {
  const name = calledNames.find((one) => one === value);
  return name === undefined ? '' : calledChoice[name];
}

interface IncidentFiltersProps {
  readonly filter: IncidentNames;
  readonly change: ChangeFilter;
}

/** Which incidents are listed: of what, how bad, for what cause, how large, how long. */
export function IncidentFilters({ filter, change }: IncidentFiltersProps) {
  const { open } = filter;
  const seesAll = useSeesAll();
  return (
    <FoldedFilters
      first={
        <FilterField
          id="search"
          wide
          label="Cluster"
          value={filter.cluster}
          onChange={(cluster) => change({ cluster })}
        />
      }
    >
      <FilterField label="Label" value={filter.label} onChange={(label) => change({ label })} />
      {/* The group belongs to the kind that was there before. */}
      <FilterField label="Kind" value={filter.kind} onChange={(kind) => change({ kind, group: '' })} />
      <FilterField label="Namespace" value={filter.namespace} onChange={(namespace) => change({ namespace })} />
      <FilterField label="Name" value={filter.name} onChange={(name) => change({ name })} />
      <FilterChoice
        label="Worst"
        value={filter.verdict}
        offer={verdicts.filter((verdict) => verdict !== 'converged')}
        onChange={(verdict) => change({ verdict })}
      />
      <FilterChoice
        label="Cause"
        value={filter.cause}
        offer={causeTypes.filter((type) => type !== 'outside' || !seesAll)}
        onChange={(cause) => change({ cause })}
      />
      <FilterChoice
        label="State"
        value={open === 'true' || open === 'false' ? states[open] : ''}
        offer={Object.values(states)}
        onChange={(word) => change({ open: word === '' ? '' : String(word === states.true) })}
      />
      <FilterChoice
        label="Objects, at least"
        value={filter.objects}
        offer={sizes}
        onChange={(objects) => change({ objects })}
      />
      <FilterChoice
        label="For at least"
        value={lengthOf(filter.minutes)}
        offer={lengths.map(lengthOf)}
        onChange={(words) => change({ minutes: lengths.find((each) => lengthOf(each) === words) ?? '' })}
      />
      <FilterChoice
        label="Called"
        value={calledWords(filter.called)}
        offer={Object.values(calledChoice)}
        onChange={(words) => change({ called: calledNames.find((name) => calledWords(name) === words) ?? '' })}
      />
      <FilterChoice
        label="Order"
        value={filter.order}
        offer={['newest', 'longest', 'largest', 'worst']}
        onChange={(order) => change({ order })}
      />
    </FoldedFilters>
  );
}
