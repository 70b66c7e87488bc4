import { queryOptions } from '@tanstack/react-query';
import { WireObjectPage, type WireRef } from '#lib/api/object.ts';
import { api } from '#lib/api/paths.ts';
import { getJson } from './get-json.ts';

/** Everything the page of one object shows, now or `at` a past moment. */
export function objectQuery({ cluster, group, kind, namespace, name }: WireRef, at: { readonly at?: string }) {
  const query = new URLSearchParams({ cluster, group, kind, namespace, name, ...at }).toString();
  return queryOptions({
    queryKey: ['object', query],
    queryFn: ({ signal }) => getJson(`${api.object}?${query}`, WireObjectPage, signal),
  });
}
