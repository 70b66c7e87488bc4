import { neighboursApi, type WireRef } from '#lib/api/object.ts';
import { getJson } from './get-json.ts';

/** The pages of the deviations next to an object, now or `at` a past moment. */
export function readNeighbours({ cluster, group, kind, namespace, name }: WireRef, at: { readonly at?: string }) {
  return getJson(neighboursApi, { cluster, group, kind, namespace, name, ...at }, AbortSignal.timeout(10_000));
}
