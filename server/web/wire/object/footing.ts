import type { CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { foundationsOf } from './foundations.ts';
import type { WireContext } from '../wire-context.ts';

/** Something whose changes bear on an object, and what it is to the object. */
export interface Footing {
  readonly relation: string;
  readonly ref: ObjectRef;
}

/** A composite may have more parts than anybody reads. */
const parts = 20;

/**
 * Whatever may be why an object broke: itself first, what it stands on, its root cause with what that stands on, and what it is
 * made of. `find` gives any object as known now.
 */
export function footingOf(
  object: CurrentObject,
  detail: ObjectDetail | null,
  find: (ref: ObjectRef) => CurrentObject | null,
  context: WireContext,
): readonly Footing[] {
  const found = new Map<string, Footing>();
  function add(relation: string, ref: ObjectRef): void {
    const key = refKey(ref);
    if (!found.has(key)) found.set(key, { relation, ref });
  }
  add('itself', object.ref);
  for (const { relation, ref } of foundationsOf(object, find, context)) add(relation, ref);
  const { rootCause } = object;
  if (rootCause?.type === 'object') {
    add('root cause', rootCause.ref);
    const cause = find(rootCause.ref);
    if (cause)
      for (const { relation, ref } of foundationsOf(cause, find, context)) add(`${relation} of its root cause`, ref);
  }
  for (const ref of detail?.observation.children.slice(0, parts) ?? []) add('made of', ref);
  return [...found.values()];
}
