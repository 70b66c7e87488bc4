import { refKey } from '#lib/domain/observation/ref.ts';
import type { PastFleet } from '#server/store/port/record-port.ts';

/** A past fleet with its objects in the order of their names: an engine gives them in any. */
export function sortedFleet({ clusters, objects }: PastFleet): PastFleet {
  return { clusters, objects: objects.toSorted((a, b) => (refKey(a.ref) < refKey(b.ref) ? -1 : 1)) };
}
