import { IncidentFilter } from '#lib/api/incident.ts';
import { scopeLabel } from '#lib/api/scope.ts';
import { minute } from '#lib/domain/time/length.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';
import { recordFilterFrom, type RecordFilter } from '../record/record-filter.ts';
import { historyParams, periodFrom, type ShownPeriod } from '../record/shown-period.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

const partNames = ['label', 'verdict', 'cause', 'open', 'objects', 'minutes', 'called', 'order'] as const;

/** The parts of the page's filter beside scope and period, '' for any. */
export type IncidentParts = Readonly<Record<(typeof partNames)[number], string>>;

/** Filter of the page but for its period. */
export type IncidentNames = RecordFilter & IncidentParts;

/** These parts in an address; what cannot be read there counts as not set. */
export function incidentPartsFrom(params: AddressParams): IncidentParts {
  return addressTexts(partNames, params, (part) => IncidentFilter.safeParse(part).success);
}

/** All of it as parameters of the API; `at` on a page of the past. */
export function incidentParams(
  filter: IncidentNames,
  period: ShownPeriod,
  at: { readonly at?: string } = {},
): Record<string, string> {
  return historyParams(filter, period, '7d', at);
}

/** Parameters of the API that an address asks for, at the moment that its page shows. */
export function incidentParamsFrom(params: AddressParams, at: { readonly at?: string } = {}): Record<string, string> {
  return incidentParams({ ...recordFilterFrom(params), ...incidentPartsFrom(params) }, periodFrom(params), at);
}

/** Names of the parts that narrow the rows and not the figures. */
const narrowing = ['verdict', 'cause', 'open', 'objects', 'minutes', 'called'] as const;

/** True if the rows are fewer than those that the figures count. */
export function isNarrowed(parts: IncidentParts): boolean {
  return narrowing.some((name) => parts[name] !== '');
}

/** A part of the filter that is set, in words. */
export interface SetPart {
  readonly name: keyof IncidentNames;
  readonly text: string;
}

const named = ['cluster', 'label', 'group', 'kind', 'namespace', 'name'] as const;

/** The filters that are set, so that what emptied the list can be named and taken away. */
export function setParts(filter: IncidentNames): readonly SetPart[] {
  return [...named, ...narrowing]
    .filter((name) => filter[name] !== '')
    .map((name) => ({ name, text: partText(name, filter[name]) }));
}

/** Words of the filter by who was called, as the choice has them. */
export const calledChoice = { yes: 'somebody called', no: 'nobody called', unknown: 'not known' } as const;

function partText(name: (typeof named)[number] | (typeof narrowing)[number], value: string): string {
  switch (name) {
    case 'verdict':
      return `worst ${listed(value)}`;
    case 'cause':
      return `cause ${listed(value)}`;
    case 'open':
      return value === 'true' ? 'ongoing' : 'over';
    case 'objects':
      return `at least ${countOf(Number(value), 'object')}`;
    case 'minutes':
      return `at least ${formatDuration(Number(value) * minute)}`;
    case 'called':
      return value === 'unknown' ? 'not known if anybody was called' : calledChoice[value === 'yes' ? 'yes' : 'no'];
    case 'cluster':
    case 'label':
    case 'group':
    case 'kind':
    case 'namespace':
    case 'name':
      return scopeLabel(name, value);
  }
}

function listed(words: string): string {
  return words.split(',').join(' or ');
}
