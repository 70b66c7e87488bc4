import type { WireNeighbours } from '#lib/api/object.ts';
import { objectPath } from '#lib/api/paths.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import { sameRef } from '#lib/domain/observation/ref.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import type { WireContext } from '../wire-context.ts';
import { comparePositions, placeOf, type Place } from '../lists/worst-first.ts';

interface Placed {
  readonly object: CurrentObject;
  readonly place: Place;
}

/**
 * The deviations next to an object in the order of every list, worst first, round and round: one that is converged stands after
 * them all. What is only declared deviates from nothing. null where nothing else deviates.
 */
export function neighboursOf(
  object: CurrentObject,
  fleet: readonly KnownCluster[],
  context: Pick<WireContext, 'policy' | 'now'>,
): WireNeighbours {
  const own = placeOf(object, context);
  const found: { first: Placed | null; last: Placed | null; before: Placed | null; after: Placed | null } = {
    first: null,
    last: null,
    before: null,
    after: null,
  };
  for (const cluster of fleet) {
    for (const other of cluster.deviating) {
      if (sameRef(other.ref, object.ref) || isOnlyDeclared(other)) continue;
      const placed = { object: other, place: placeOf(other, context) };
      found.first = earlier(found.first, placed);
      found.last = later(found.last, placed);
      if (comparePositions(placed.place, own) < 0) found.before = later(found.before, placed);
      else found.after = earlier(found.after, placed);
    }
  }
  const previous = found.before ?? found.last;
  const next = found.after ?? found.first;
  return {
    previous: previous === null ? null : objectPath(previous.object.ref),
    next: next === null ? null : objectPath(next.object.ref),
  };
}

function earlier(a: Placed | null, b: Placed): Placed {
  return a !== null && comparePositions(a.place, b.place) <= 0 ? a : b;
}

function later(a: Placed | null, b: Placed): Placed {
  return a !== null && comparePositions(a.place, b.place) >= 0 ? a : b;
}
