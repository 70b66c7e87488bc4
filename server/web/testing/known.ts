import type { CurrentObject } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { buildKnown, type KnownCluster } from '../cache/known-cluster.ts';
import { sampleCluster, sampleNow } from './sample.ts';

/** A live cluster with these objects, as known at the moment of the samples. */
export function knownCluster(name: string, objects: readonly CurrentObject[]): KnownCluster {
  const clusterCache = {
    name,
    record: sampleCluster(name),
    objects: new Map(objects.map((object) => [refKey(object.ref), object])),
    revision: 1,
    renewal: 1,
  };
  return buildKnown(clusterCache, defaultPolicy, sampleNow, 1);
}
