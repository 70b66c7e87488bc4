import { ObjectFilter } from '#lib/api/object-filter.ts';
import { wordsOf } from '#lib/api/params.ts';
import { scopeLabel } from '#lib/api/scope.ts';
import { brokenText, reachText } from '#lib/domain/alarm/alarm-text.ts';
import { alarmLinks, alarmStates, type AlarmState } from '#lib/domain/alarm/link.ts';
import { reachAnswers } from '#lib/domain/alarm/reach.ts';
import { guarantees, type Guarantee } from '#lib/domain/guarantee/guarantee.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

/** The parts of a filter that stand in the URL; the page's cursor does not. */
export const filterNames = [
  'q',
  'cluster',
  'label',
  'reconciler',
  'group',
  'kind',
  'namespace',
  'name',
  'verdict',
  'silent',
  'guarantee',
  'alarm',
  'link',
  'reach',
  'cause',
  'drift',
] as const;

export type FilterName = (typeof filterNames)[number];

/** A filter as it stands in the URL: '' for any. */
export type ListFilter = Readonly<Record<FilterName, string>>;

/** The filter in a page's address. What cannot be read there (a verdict that there is not) counts as not set. */
export function filterFrom(params: AddressParams): ListFilter {
  return addressTexts(filterNames, params, (part) => ObjectFilter.safeParse(part).success);
}

/** The parts that are set, as parameters of the API. */
export function filterParams(filter: ListFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** The verdicts that a filter names; empty for all. */
export function verdictsOf(text: string): readonly Verdict[] {
  const named = new Set(text.split(',').map((word) => word.trim()));
  return verdicts.filter((verdict) => named.has(verdict));
}

/** A filter that is set, in words. */
export interface SetPart {
  readonly name: FilterName;
  readonly text: string;
}

/** The filters that are set, so that what emptied a list can be named and taken away. */
export function setParts(filter: ListFilter): readonly SetPart[] {
  return filterNames
    .filter((name) => filter[name] !== '')
    .map((name) => ({ name, text: partText(name, filter[name]) }));
}

const guaranteeLabel: Readonly<Record<Guarantee, string>> = {
  holds: 'the sentence holds',
  broken: 'nobody is being called',
  off: 'suspended or exempted',
  unknown: 'not confirmed, or paging unknown',
  planned: 'planned work',
  declared: 'only declared',
};

const alarmStateText: Readonly<Record<AlarmState['state'], string>> = {
  sounding: 'alarm sounding',
  silent: 'due, and nobody called',
  pending: 'alarm pending',
  'not-due': 'no alarm due',
  unknown: 'alarm not known',
};

function namedIn<Name extends string>(
  value: string,
  names: readonly Name[],
  texts: Readonly<Record<Name, string>>,
): string {
  const named = new Set(wordsOf(value));
  return names
    .filter((name) => named.has(name))
    .map((name) => texts[name])
    .join(' or ');
}

function partText(name: FilterName, value: string): string {
  switch (name) {
    case 'silent':
      return value === 'true' ? 'nobody is being called' : 'not silent';
    case 'verdict':
      return value.split(',').join(' or ');
    case 'guarantee':
      return namedIn(value, guarantees, guaranteeLabel);
    case 'alarm':
      return namedIn(value, alarmStates, alarmStateText);
    case 'link':
      return namedIn(value, alarmLinks, brokenText);
    case 'reach':
      return namedIn(value, reachAnswers, reachText);
    case 'cause':
      return `beneath ${value.slice(value.indexOf(':') + 1)}`;
    case 'drift':
      return 'drift not measured';
    case 'q':
    case 'cluster':
    case 'label':
    case 'reconciler':
    case 'group':
    case 'kind':
    case 'namespace':
    case 'name':
      return scopeLabel(name, value);
  }
}
