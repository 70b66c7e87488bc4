import { refKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { PastFleet } from '#server/store/port/record-port.ts';
import { unpackObjects } from '#server/store/record/packed-objects.ts';

/** A past fleet with its objects unpacked. */
export interface UnpackedFleet extends Omit<PastFleet, 'objects'> {
  readonly objects: readonly CurrentObject[];
}

/** Unpacks the objects of a past fleet, by their names. */
export function unpackedFleet({ clusters, objects }: PastFleet): UnpackedFleet {
  return { clusters, objects: unpackObjects(objects).toSorted((a, b) => (refKey(a.ref) < refKey(b.ref) ? -1 : 1)) };
}
