import { namedKinds } from '../../reconcilers/registry.ts';
import type { GroupKind } from '../cluster-event.ts';

const named = new Set(namedKinds.map(groupKindKey));

/** Whether a kind is watched by name, with or without objects. */
export function isNamedKind(kind: GroupKind): boolean {
  return named.has(groupKindKey(kind));
}

/** A map key for a kind: group/kind. */
export function groupKindKey({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}
