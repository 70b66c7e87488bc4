import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { Sight } from '../sight.ts';
import { seesCause } from './cause.ts';
import { objectWithin, refsOf } from './object.ts';

/** An object as it is told to all who see the same of what it names. */
interface Told {
  readonly seen: number;
  readonly object: KnownObject;
  readonly next: Told | null;
}

/** More references than this do not fit into one number. */
const mostRefs = 30;
/** So many copies of one object are shared. */
const mostCopies = 8;

const copies = new WeakMap<KnownObject, Told>();

/**
 * An object that is seen, as a sight tells it (`objectWithin`), in one copy for all views that see the same of what it names: sixty views of a fleet had
 * a copy each of nearly every object, whose source they do not see.
 */
export function sharedWithin(object: KnownObject, sight: Sight): KnownObject {
  const seen = seenOf(object, sight);
  const first = copies.get(object) ?? null;
  let count = 0;
  for (let one = first; one !== null; one = one.next, count += 1) if (one.seen === seen) return one.object;
  const told = objectWithin(object, sight);
  if (told !== object && seen !== null && count < mostCopies) copies.set(object, { seen, object: told, next: first });
  return told;
}

/** All that `objectWithin` asks a sight about an object, as one number; null where it is too much. */
function seenOf(object: KnownObject, sight: Sight): number | null {
  const refs = refsOf(object);
  if (refs.length > mostRefs) return null;
  let sum = sight.granted(object.ref.cluster) === 'all' ? 1 : 0;
  sum = sum * 3 + (object.rootCause === null || seesCause(object.rootCause, sight) ? 1 : 0);
  for (const ref of refs) sum = sum * 3 + (sight.sees(ref) ? 2 : sight.granted(ref.cluster) === 'none' ? 0 : 1);
  return sum;
}
