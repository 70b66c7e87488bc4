import { queryOptions } from '@tanstack/react-query';
import { clusterApi } from '#lib/api/cluster.ts';
import { getJson } from './get-json.ts';

/** Everything the page of one cluster shows, or what its parameters keep, now or `at` a past moment. */
export function clusterQuery(name: string, params: Readonly<Record<string, string>>) {
  return queryOptions({
    queryKey: ['cluster', name, new URLSearchParams(params).toString()],
    queryFn: ({ signal }) => getJson(clusterApi, { name, ...params }, signal),
  });
}
