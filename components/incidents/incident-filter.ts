import { IncidentFilter } from '#lib/api/incident.ts';
import { recordFilterFrom, textOf, type RecordFilter } from '../record/record-filter.ts';
import { historyParams, periodFrom, type ShownPeriod } from '../record/shown-period.ts';

/** The parts of the page's filter beside scope and period, '' for any. */
export interface IncidentParts {
  readonly verdict: string;
  readonly open: string;
  readonly order: string;
}

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** These parts in an address; what cannot be read there counts as not set. */
export function incidentPartsFrom(params: Params): IncidentParts {
  const one = (name: keyof IncidentParts): string => {
    const text = textOf(params, name);
    return IncidentFilter.safeParse({ [name]: text }).success ? text : '';
  };
  return { verdict: one('verdict'), open: one('open'), order: one('order') };
}

/** All of it as parameters of the API. */
export function incidentParams(
  filter: RecordFilter,
  parts: IncidentParts,
  period: ShownPeriod,
): Record<string, string> {
  return historyParams({ ...filter, ...parts }, period, '7d');
}

/** Parameters of the API that an address asks for. */
export function incidentParamsFrom(params: Params): Record<string, string> {
  return incidentParams(recordFilterFrom(params), incidentPartsFrom(params), periodFrom(params));
}
