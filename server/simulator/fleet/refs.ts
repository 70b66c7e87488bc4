import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { ServedKind } from '../api/kinds.ts';

/** The reference of an object of a served kind. */
export function refOf(cluster: string, kind: ServedKind, namespace: string, name: string): ObjectRef {
  return { cluster, group: kind.group, kind: kind.kind, namespace, name };
}
