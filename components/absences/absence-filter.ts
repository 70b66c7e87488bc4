import { AbsenceFilter } from '#lib/api/absence.ts';
import { recordFilterFrom, type RecordFilter } from '../record/record-filter.ts';
import { historyParams, periodFrom, type ShownPeriod } from '../record/shown-period.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

const partNames = ['verdict', 'open', 'called', 'order'] as const;

/** The parts of the page's filter beside scope and period, '' for any. */
export type AbsenceParts = Readonly<Record<(typeof partNames)[number], string>>;

/** These parts in an address; what cannot be read there counts as not set. */
export function absencePartsFrom(params: AddressParams): AbsenceParts {
  return addressTexts(partNames, params, (part) => AbsenceFilter.safeParse(part).success);
}

/** All of it as parameters of the API. */
export function absenceParams(filter: RecordFilter, parts: AbsenceParts, period: ShownPeriod): Record<string, string> {
  return historyParams({ ...filter, ...parts }, period, '7d');
}

/** Parameters of the API that an address asks for. */
export function absenceParamsFrom(params: AddressParams): Record<string, string> {
  return absenceParams(recordFilterFrom(params), absencePartsFrom(params), periodFrom(params));
}
