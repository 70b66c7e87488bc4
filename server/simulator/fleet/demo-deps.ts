import type { Scheduler } from '../controllers/scheduler.ts';
import type { ControlRepository } from '../repository/control-repository.ts';
import type { Ledger } from '../truth.ts';

/** Parts that the clusters of a demo share. Intervals in seconds. */
export interface DemoDeps {
  readonly scheduler: Scheduler;
  readonly repository: ControlRepository;
  readonly ledger: Ledger;
  readonly interval: number;
  readonly startedAt: number;
  /** Time of the last sign of the controllers that are dead from the start, ms; null where they live. */
  deadSince(cluster: string): number | null;
}
