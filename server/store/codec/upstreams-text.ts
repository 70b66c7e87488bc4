import { parseRefKey, refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { hasUpstreams, noUpstreams, type Upstreams } from '#lib/domain/record/upstreams.ts';
import { parseForeign, listAt, textAt } from '#lib/foreign.ts';

function keys(refs: readonly ObjectRef[]): readonly string[] | undefined {
  return refs.length === 0 ? undefined : refs.map(refKey);
}

function key(ref: ObjectRef | null): string | undefined {
  return ref === null ? undefined : refKey(ref);
}

/** The stored text of what an object depends on: only what there is, references as their keys; null where there is nothing. */
export function encodeUpstreams(upstreams: Upstreams): string | null {
  if (!hasUpstreams(upstreams)) return null;
  return JSON.stringify({
    sources: keys(upstreams.sources),
    dependsOn: keys(upstreams.dependsOn),
    parent: key(upstreams.parent),
    provider: key(upstreams.provider),
    providerConfig: key(upstreams.providerConfig),
  });
}

/** Decodes a stored text; what another version wrote is left out. */
export function decodeUpstreams(text: string): Upstreams {
  const value = parseForeign(text);
  if (value === null) return noUpstreams;
  const one = (name: string): ObjectRef | null => parseRefKey(textAt(value, name) ?? '');
  const many = (name: string): readonly ObjectRef[] =>
    listAt(value, name).flatMap((item) => (typeof item === 'string' ? (parseRefKey(item) ?? []) : []));
  return {
    sources: many('sources'),
    dependsOn: many('dependsOn'),
    parent: one('parent'),
    provider: one('provider'),
    providerConfig: one('providerConfig'),
  };
}
