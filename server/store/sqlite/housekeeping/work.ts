import type { Retention } from '../../port/port.ts';

/** One sort of work that keeps the record. Call it within a transaction only. */
export interface Work {
  /** Does one step of some milliseconds, at `now` (ms); gives whether there is more to do at once. */
  step(retention: Retention, now: number): boolean;
}
