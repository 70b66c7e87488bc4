import type { Clock } from '#server/runtime/clock.ts';
import type { Transport } from './transport/transport.ts';
import type { ClusterTuning } from './tuning.ts';

/** Accepts a list of which no more is read than the metadata of its objects. */
export const namesOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** Needed by everything that reads a cluster. */
export interface ReadingDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  /** 0 (included) to 1 (not included), for jitter. */
  readonly random: () => number;
  readonly tuning: ClusterTuning;
}
