import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { listAt, textAt } from '#lib/foreign.ts';
import { groupOf } from '../references.ts';

export const sourceGroup = 'source.toolkit.fluxcd.io';

/** A `{kind, name, namespace}` that names a source; its group is Flux's own unless an apiVersion says otherwise. */
export function sourceReference(value: unknown, own: ObjectRef): ObjectRef | null {
  const kind = textAt(value, 'kind');
  const name = textAt(value, 'name');
  if (kind === null || name === null) return null;
  const apiVersion = textAt(value, 'apiVersion');
  const group = apiVersion === null || apiVersion === '' ? sourceGroup : groupOf(apiVersion);
  return { cluster: own.cluster, group, kind, namespace: textAt(value, 'namespace') ?? own.namespace, name };
}

/** spec.dependsOn: objects of the same kind, in the same namespace unless one is named. */
export function dependencies(object: unknown, own: ObjectRef): ObjectRef[] {
  const found: ObjectRef[] = [];
  for (const entry of listAt(object, 'spec', 'dependsOn')) {
    const name = textAt(entry, 'name');
    if (name !== null) found.push({ ...own, namespace: textAt(entry, 'namespace') ?? own.namespace, name });
  }
  return found;
}

/** "clusters/production/x" for "./clusters/production/x/"; '' for the root of a source. */
export function cleanPath(path: string | null): string {
  let clean = path ?? '';
  while (clean.startsWith('./') || clean.startsWith('/')) clean = clean.slice(clean.indexOf('/') + 1);
  while (clean.endsWith('/')) clean = clean.slice(0, -1);
  return clean === '.' ? '' : clean;
}
