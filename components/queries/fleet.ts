import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { fleetApi } from '#lib/api/fleet.ts';
import { getJson } from './get-json.ts';

/** The matrix by the parameters of its view. While another view is on its way the one before stays in sight. */
export function fleetQuery(params: Readonly<Record<string, string>>) {
  return queryOptions({
    queryKey: ['fleet', new URLSearchParams(params).toString()],
    queryFn: ({ signal }) => getJson(fleetApi, params, signal),
    placeholderData: keepPreviousData,
  });
}
