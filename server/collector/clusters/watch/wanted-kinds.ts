import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { namedKinds } from '../../reconcilers/registry.ts';

const named = new Set(namedKinds.map(kindKey));

/** Whether a kind is watched by name, with or without objects. */
export function isNamedKind(kind: GroupKind): boolean {
  return named.has(kindKey(kind));
}
