import type { Clock } from '#server/runtime/clock.ts';
import type { Transport } from './transport/transport.ts';
import type { ClusterTuning } from './tuning.ts';

/** What everything that reads a cluster needs. */
export interface ReadingDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  /** 0 (included) to 1 (not included), for jitter. */
  readonly random: () => number;
  readonly tuning: ClusterTuning;
}
