import type { CurrentObject } from '#lib/domain/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee.ts';
import { refKey } from '#lib/domain/ref.ts';
import { buildKnown, type KnownCluster } from '../picture/known-cluster.ts';
import { sampleCluster, sampleNow } from './sample.ts';

/** A live cluster with these objects, as known at the moment of the samples. */
export function knownCluster(name: string, objects: readonly CurrentObject[]): KnownCluster {
  const shelf = {
    name,
    record: sampleCluster(name),
    objects: new Map(objects.map((object) => [refKey(object.ref), object])),
    revision: 1,
    renewal: 1,
  };
  return buildKnown(shelf, defaultPolicy, sampleNow, 1);
}
