import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { WireNeighbours } from '#lib/api/object.ts';
import { objectPath } from '#lib/api/paths.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import { sameRef } from '#lib/domain/observation/ref.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import type { WireContext } from '../wire-context.ts';
import { comparePositions, positionOf, type Position } from '../lists/worst-first.ts';

interface Positioned {
  readonly object: KnownObject;
  readonly position: Position;
}

/**
 * The deviations next to an object in the order of every list, worst first, round and round: one that is converged stands after
 * them all. What is only declared deviates from nothing. null where nothing else deviates.
 */
export function neighboursOf(
  object: KnownObject,
  fleet: readonly KnownCluster[],
  context: Pick<WireContext, 'policy' | 'now'>,
): WireNeighbours {
  const own = positionOf(object, context);
  const found: Partial<Record<'first' | 'last' | 'before' | 'after', Positioned>> = {};
  for (const cluster of fleet) {
    for (const other of cluster.deviating) {
      if (sameRef(other.ref, object.ref) || isOnlyDeclared(other)) continue;
      const positioned = { object: other, position: positionOf(other, context) };
      found.first = earlier(found.first, positioned);
      found.last = later(found.last, positioned);
      if (comparePositions(positioned.position, own) < 0) found.before = later(found.before, positioned);
      else found.after = earlier(found.after, positioned);
    }
  }
  const previous = found.before ?? found.last;
  const next = found.after ?? found.first;
  return {
    previous: previous === undefined ? null : objectPath(previous.object.ref),
    next: next === undefined ? null : objectPath(next.object.ref),
  };
}

function earlier(a: Positioned | undefined, b: Positioned): Positioned {
  return a !== undefined && comparePositions(a.position, b.position) <= 0 ? a : b;
}

function later(a: Positioned | undefined, b: Positioned): Positioned {
  return a !== undefined && comparePositions(a.position, b.position) >= 0 ? a : b;
}
