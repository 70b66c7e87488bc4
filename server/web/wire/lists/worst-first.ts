import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { z } from 'zod';
import { guaranteeOf } from '#lib/domain/guarantee/guarantee.ts';
import { sinceOf } from '#lib/domain/matrix/matrix-row.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { objectRank } from '#lib/domain/verdict/only-declared.ts';
import type { WireContext } from '../wire-context.ts';

/** Shape of a position, for its cursor. */
export const Position = z.tuple([z.union([z.literal(0), z.literal(1)]), z.number(), z.number(), z.string()]);

/** The position of an object in every list: silent first, then by verdict (what is only declared after all that deviates), the longest away first, then by its key. */
export type Position = readonly [silent: 0 | 1, rank: number, since: number, key: string];

/** The position of an object as known at `context.now`. What is converged stands by its key alone. */
export function positionOf(object: KnownObject, context: Pick<WireContext, 'policy' | 'now'>): Position {
  const silent = guaranteeOf(object, context.policy, context.now) === 'broken' ? 0 : 1;
  const since = object.verdict === 'converged' ? 0 : sinceOf(object);
  return [silent, objectRank(object), since, positionKey(object.ref)];
}

/** The last part of a position. Parted by a character below all others, so that it sorts as its parts do: cluster by cluster. */
export function positionKey({ cluster, group, kind, namespace, name }: ObjectRef): string {
  return `${cluster}\0${kind}\0${namespace}\0${name}\0${group}`;
}

/** Compares two positions. */
export function comparePositions(a: Position, b: Position): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || compareText(a[3], b[3]);
}

/** Compares two objects for a list. */
export function worstFirst(context: Pick<WireContext, 'policy' | 'now'>): (a: KnownObject, b: KnownObject) => number {
  const positions = new Map<KnownObject, Position>();
  function position(object: KnownObject): Position {
    const found = positions.get(object) ?? positionOf(object, context);
    positions.set(object, found);
    return found;
  }
  return (a, b) => comparePositions(position(a), position(b));
}
