import { WireNeighbours, type WireRef } from '#lib/api/object.ts';
import { api } from '#lib/api/paths.ts';
import { getJson } from './get-json.ts';

/** The pages of the deviations next to an object, now or `at` a past moment. */
export function readNeighbours({ cluster, group, kind, namespace, name }: WireRef, at: { readonly at?: string }) {
  const query = new URLSearchParams({ cluster, group, kind, namespace, name, ...at }).toString();
  return getJson(`${api.neighbours}?${query}`, WireNeighbours, AbortSignal.timeout(10_000));
}
