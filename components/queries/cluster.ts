import { queryOptions } from '@tanstack/react-query';
import { WireClusterPage } from '#lib/api/cluster.ts';
import { api } from '#lib/api/paths.ts';
import { getJson } from './get-json.ts';

/** Everything the page of one cluster shows, or what its parameters keep, now or `at` a past moment. */
export function clusterQuery(name: string, params: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(params).toString();
  const path = `${api.clusters}/${encodeURIComponent(name)}`;
  return queryOptions({
    queryKey: ['cluster', name, query],
    queryFn: ({ signal }) => getJson(query === '' ? path : `${path}?${query}`, WireClusterPage, signal),
  });
}
