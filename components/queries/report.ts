import { queryOptions } from '@tanstack/react-query';
import { WireReport } from '#lib/api/report.ts';
import { api } from '#lib/api/paths.ts';
import { getJson } from './get-json.ts';

/** The report over a period and scope, as parameters of the API. */
export function reportOptions(params: Readonly<Record<string, string>>) {
  const asked = new URLSearchParams(params).toString();
  return queryOptions({
    queryKey: ['report', asked],
    queryFn: ({ signal }) => getJson(asked === '' ? api.report : `${api.report}?${asked}`, WireReport, signal),
    // A report is of the moment at which it was asked for: it is made again only when its reader says so.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
