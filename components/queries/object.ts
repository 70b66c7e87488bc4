import { queryOptions } from '@tanstack/react-query';
import { objectApi, type WireRef } from '#lib/api/object.ts';
import { getJson } from './get-json.ts';

/** Everything the page of one object shows, now or `at` a past moment. */
export function objectQuery({ cluster, group, kind, namespace, name }: WireRef, at: { readonly at?: string }) {
  const params = { cluster, group, kind, namespace, name, ...at };
  return queryOptions({
    queryKey: ['object', new URLSearchParams(params).toString()],
    queryFn: ({ signal }) => getJson(objectApi, params, signal),
  });
}
