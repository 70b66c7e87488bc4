import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { WireFleet } from '#lib/api/fleet.ts';
import { api } from '#lib/api/paths.ts';
import { getJson } from './get-json.ts';

/** The matrix by the parameters of its view. While another view is on its way the one before stays in sight. */
export function fleetQuery(params: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(params).toString();
  return queryOptions({
    queryKey: ['fleet', query],
    queryFn: ({ signal }) => getJson(query === '' ? api.fleet : `${api.fleet}?${query}`, WireFleet, signal),
    placeholderData: keepPreviousData,
  });
}
