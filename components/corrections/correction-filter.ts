import { CorrectionFilter } from '#lib/api/correction.ts';
import { recordFilterFrom, textOf, type RecordFilter } from '../record/record-filter.ts';
import { historyParams, periodFrom, type ShownPeriod } from '../record/shown-period.ts';

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** The certainty in an address; '' for any. */
export function certaintyFrom(params: Params): string {
  const text = textOf(params, 'certainty');
  return CorrectionFilter.safeParse({ certainty: text }).success ? text : '';
}

/** All of the page's filter as parameters of the API. */
export function correctionParams(filter: RecordFilter, certainty: string, period: ShownPeriod): Record<string, string> {
  return historyParams({ ...filter, certainty }, period, '30d');
}

/** Parameters of the API that an address asks for. */
export function correctionParamsFrom(params: Params): Record<string, string> {
  return correctionParams(recordFilterFrom(params), certaintyFrom(params), periodFrom(params));
}
