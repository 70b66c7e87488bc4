import { CorrectionFilter } from '#lib/api/correction.ts';
import { recordFilterFrom, type RecordFilter } from '../record/record-filter.ts';
import { historyParams, periodFrom, type ShownPeriod } from '../record/shown-period.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

/** The certainty in an address; '' for any. */
export function certaintyFrom(params: AddressParams): string {
  return addressTexts(['certainty'], params, (part) => CorrectionFilter.safeParse(part).success).certainty;
}

/** All of the page's filter as parameters of the API. */
export function correctionParams(filter: RecordFilter, certainty: string, period: ShownPeriod): Record<string, string> {
  return historyParams({ ...filter, certainty }, period, '30d');
}

/** Parameters of the API that an address asks for. */
export function correctionParamsFrom(params: AddressParams): Record<string, string> {
  return correctionParams(recordFilterFrom(params), certaintyFrom(params), periodFrom(params));
}
