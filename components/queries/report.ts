import { queryOptions } from '@tanstack/react-query';
import { reportApi } from '#lib/api/report.ts';
import { getJson } from './get-json.ts';

/** The report over a period and scope, as parameters of the API. */
export function reportOptions(params: Readonly<Record<string, string>>) {
  return queryOptions({
    queryKey: ['report', new URLSearchParams(params).toString()],
    queryFn: ({ signal }) => getJson(reportApi, params, signal),
    // A report is of the moment at which it was asked for: it is made again only when its reader says so.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
