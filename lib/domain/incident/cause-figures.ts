import type { Durations } from '../record/figures.ts';

/** At so many objects at once an incident is large. */
export const largeFrom = 5;

/** Figures over the incidents of a scope and period, the members beside. Durations in ms. */
export interface CauseFigures {
  /** Known first in the period; before it, and lasting as it began. */
  readonly opened: number;
  readonly openAtStart: number;
  /** Over in the period, the last member converged or seen again; and how many of those had lasted as it began. */
  readonly closed: number;
  readonly closedFromBefore: number;
  /** Over in it otherwise. */
  readonly gone: number;
  /** Lasting as it ended: opened + openAtStart - closed - gone. */
  readonly open: number;
  /** Of all of those, how many took down at least `largeFrom` objects at once. */
  readonly large: number;
  /** Times within an incident that members had, of incidents known first in the period. */
  readonly members: number;
  /** closedAt - openedAt of those closed in it; those of them that lasted at least so long. */
  readonly toConverge: Durations;
  readonly toConvergeAtLeast: Durations;
  /** noticedAt - openedAt of those known first in it with an exact beginning. */
  readonly toNotice: Durations;
}
