import { ConflictFilter } from '#lib/api/conflict.ts';
import { ExemptionFilter } from '#lib/api/exemption.ts';
import { wordsOf } from '#lib/api/params.ts';
import { exemptionsPath } from '#lib/api/paths.ts';
import { scopeLabel } from '#lib/api/scope.ts';
import { conflictKinds } from '#lib/domain/observation/conflict.ts';
import { exemptionKinds } from '#lib/domain/exemption/exemption.ts';
import { conflictTitle, exemptionTitle } from '#lib/format/exemption-label.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

/** The two lists of the page. */
export const tabs = ['exemptions', 'conflicts'] as const;
export type Tab = (typeof tabs)[number];

/** The parts of the filter that stand in the URL. */
export const filterNames = ['q', 'cluster', 'kind', 'namespace', 'exemption', 'conflict', 'by'] as const;
export type FilterName = (typeof filterNames)[number];

/** The filter as it stands in the URL: '' for any. */
export type OwnershipFilter = Readonly<Record<FilterName, string>>;

/** The parts that each list takes. */
const taken: Readonly<Record<Tab, readonly FilterName[]>> = {
  exemptions: ['q', 'cluster', 'kind', 'namespace', 'exemption', 'by'],
  conflicts: ['q', 'cluster', 'kind', 'namespace', 'conflict', 'by'],
};

/** The parts that mean the same to both lists. */
const common: readonly FilterName[] = ['q', 'cluster', 'kind', 'namespace'];

/** The list that an address asks for. */
export function tabFrom(params: AddressParams): Tab {
  return params['tab'] === 'conflicts' ? 'conflicts' : 'exemptions';
}

/** The filter in an address. What cannot be read there (a kind that there is not) counts as not set. */
export function filterFrom(params: AddressParams): OwnershipFilter {
  return addressTexts(
    filterNames,
    params,
    (part) => ('conflict' in part ? ConflictFilter : ExemptionFilter).safeParse(part).success,
  );
}

/** The parts that are set and that a list takes, as parameters of its API. */
export function apiParams(tab: Tab, filter: OwnershipFilter): Record<string, string> {
  return Object.fromEntries(taken[tab].filter((name) => filter[name] !== '').map((name) => [name, filter[name]]));
}

/** Where the other list stands, looked at through what means the same to both. */
export function tabHref(tab: Tab, filter: OwnershipFilter): string {
  const kept = common.filter((name) => filter[name] !== '').map((name) => [name, filter[name]]);
  return exemptionsPath(Object.fromEntries([...(tab === 'exemptions' ? [] : [['tab', tab]]), ...kept]));
}

/** A part that is set, in words. */
export interface SetPart {
  readonly name: FilterName;
  readonly text: string;
}

/** The parts that narrow a list, so that what emptied it can be named and taken away. */
export function setParts(tab: Tab, filter: OwnershipFilter): readonly SetPart[] {
  return taken[tab]
    .filter((name) => filter[name] !== '')
    .map((name) => ({ name, text: partText(tab, name, filter[name]) }));
}

function partText(tab: Tab, name: FilterName, value: string): string {
  switch (name) {
    case 'q':
      return `text "${value}"`;
    case 'exemption':
      return namesOf(value, exemptionKinds, exemptionTitle);
    case 'conflict':
      return namesOf(value, conflictKinds, conflictTitle);
    case 'by':
      if (tab === 'conflicts') return `manager ${value}`;
      return value === '-' ? 'set by nobody who is known' : `set by ${value}`;
    case 'cluster':
    case 'kind':
    case 'namespace':
      return scopeLabel(name, value);
  }
}

function namesOf<Kind extends string>(
  value: string,
  kinds: readonly Kind[],
  titles: Readonly<Record<Kind, string>>,
): string {
  const named = wordsOf(value);
  return kinds
    .filter((kind) => named.includes(kind))
    .map((kind) => `"${titles[kind]}"`)
    .join(' or ');
}
