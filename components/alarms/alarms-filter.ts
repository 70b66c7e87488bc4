import { AlarmsQuery } from '#lib/api/alarm/alarms.ts';
import { wordsOf } from '#lib/api/params.ts';
import { scopeLabel } from '#lib/api/scope.ts';
import { findingTypes } from '#lib/domain/alarm/finding.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';
import { findingTitle } from './alarms-text.ts';

/** The parts of the filter that stand in the URL. */
export const filterNames = ['cluster', 'group', 'kind', 'source', 'finding'] as const;
export type FilterName = (typeof filterNames)[number];

/** The filter as it stands in the URL: '' for any. */
export type AlarmsFilter = Readonly<Record<FilterName, string>>;

/** The filter in an address. What cannot be read there (a type of findings that there is not) counts as not set. */
export function filterFrom(params: AddressParams): AlarmsFilter {
  return addressTexts(filterNames, params, (part) => AlarmsQuery.safeParse(part).success);
}

/** Parameters of the API: where one kind, or one type of findings, is chosen, all of it is asked for. */
export function alarmsParams(filter: AlarmsFilter, at: Readonly<Record<string, string>> = {}): Record<string, string> {
  const set = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const all = filter.kind !== '' || filter.finding !== '';
  return { ...set, ...(all ? { limit: '2000' } : {}), ...at };
}

/** The parts that are set, so that what emptied the page can be named and taken away. */
export function setParts(filter: AlarmsFilter): readonly { readonly name: FilterName; readonly text: string }[] {
  return filterNames
    .filter((name) => filter[name] !== '')
    .map((name) => ({ name, text: partText(name, filter[name]) }));
}

function partText(name: FilterName, value: string): string {
  switch (name) {
    case 'source':
      return `source ${wordsOf(value).join(', ')}`;
    case 'finding': {
      const named = new Set<string>(wordsOf(value));
      return findingTypes
        .filter((type) => named.has(type))
        .map((type) => `"${findingTitle[type]}"`)
        .join(' or ');
    }
    case 'cluster':
    case 'group':
    case 'kind':
      return scopeLabel(name, value);
  }
}
