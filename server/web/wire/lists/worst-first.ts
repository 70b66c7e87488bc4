import type { CurrentObject } from '#lib/domain/record/current.ts';
import { guaranteeOf } from '#lib/domain/guarantee/guarantee.ts';
import { sinceOf } from '#lib/domain/matrix/matrix-row.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { objectRank } from '#lib/domain/verdict/only-declared.ts';
import type { WireContext } from '../wire-context.ts';

/** The place of an object in every list: silent first, then by verdict (what is only declared after all that deviates), the longest away first, then by its key. */
export type Place = readonly [silent: 0 | 1, rank: number, since: number, key: string];

/** The place of an object as known at `context.now`. What is converged stands by its key alone. */
export function placeOf(object: CurrentObject, context: Pick<WireContext, 'policy' | 'now'>): Place {
  const silent = guaranteeOf(object, context.policy, context.now) === 'broken' ? 0 : 1;
  const since = object.verdict === 'converged' ? 0 : sinceOf(object);
  return [silent, objectRank(object), since, positionKey(object.ref)];
}

/** The last part of a place. Parted by a character below all others, so that it sorts as its parts do: cluster by cluster. */
export function positionKey({ cluster, group, kind, namespace, name }: ObjectRef): string {
  return `${cluster}\0${kind}\0${namespace}\0${name}\0${group}`;
}

/** Compares two places. */
export function comparePositions(a: Place, b: Place): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || (a[3] < b[3] ? -1 : a[3] > b[3] ? 1 : 0);
}

/** Compares two objects for a list. */
export function worstFirst(
  context: Pick<WireContext, 'policy' | 'now'>,
): (a: CurrentObject, b: CurrentObject) => number {
  const places = new Map<CurrentObject, Place>();
  function place(object: CurrentObject): Place {
    const found = places.get(object) ?? placeOf(object, context);
    places.set(object, found);
    return found;
  }
  return (a, b) => comparePositions(place(a), place(b));
}
