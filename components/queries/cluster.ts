import { queryOptions } from '@tanstack/react-query';
import { WireClusterPage } from '#lib/api/cluster.ts';
import { api } from '#lib/api/paths.ts';
import { getJson } from './get-json.ts';

/** Everything the page of one cluster shows. */
export function clusterQuery(name: string) {
  return queryOptions({
    queryKey: ['cluster', name],
    queryFn: ({ signal }) => getJson(`${api.clusters}/${encodeURIComponent(name)}`, WireClusterPage, signal),
  });
}
