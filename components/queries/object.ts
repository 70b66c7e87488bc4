import { queryOptions } from '@tanstack/react-query';
import { WireObjectPage, type WireRef } from '#lib/api/object.ts';
import { api } from '#lib/api/paths.ts';
import { getJson } from './get-json.ts';

/** Everything the page of one object shows. */
export function objectQuery({ cluster, group, kind, namespace, name }: WireRef) {
  const query = new URLSearchParams({ cluster, group, kind, namespace, name }).toString();
  return queryOptions({
    queryKey: ['object', cluster, group, kind, namespace, name],
    queryFn: ({ signal }) => getJson(`${api.object}?${query}`, WireObjectPage, signal),
  });
}
