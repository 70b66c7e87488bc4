import type { WireNeighbours } from '#lib/api/object.ts';
import { objectPath } from '#lib/api/paths.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import { sameRef } from '#lib/domain/observation/ref.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import type { WireContext } from '../wire-context.ts';
import { comparePositions, positionOf } from '../lists/worst-first.ts';

/**
 * The deviations next to an object in the order of every list, worst first, round and round: one that is converged stands after
 * them all. What is only declared deviates from nothing. null where nothing else deviates.
 */
export function neighboursOf(
  object: CurrentObject,
  fleet: readonly KnownCluster[],
  context: Pick<WireContext, 'policy' | 'now'>,
): WireNeighbours {
  const own = positionOf(object, context);
  const others = fleet
    .flatMap(({ deviating }) => deviating)
    .filter((other) => !sameRef(other.ref, object.ref) && !isOnlyDeclared(other))
    .map((other) => ({ ref: other.ref, position: positionOf(other, context) }))
    .toSorted((a, b) => comparePositions(a.position, b.position));
  const before = others.filter(({ position }) => comparePositions(position, own) < 0).length;
  const previous = others.at(before - 1);
  const next = others[before] ?? others[0];
  return {
    previous: previous === undefined ? null : objectPath(previous.ref),
    next: next === undefined ? null : objectPath(next.ref),
  };
}
