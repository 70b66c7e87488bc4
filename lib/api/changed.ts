import type { WireNotThere } from './not-there.ts';
import type { WireChange } from './object.ts';
import type { WireNotedTransition } from './transition.ts';

/** Contents of the page of changes: what happened from one moment to another, newest first. Times as in `Time`. */
export interface Changed {
  readonly asOf: string;
  readonly from: string;
  readonly to: string;
  /** True if it goes up to now. */
  readonly upToNow: boolean;
  /** '' for all. */
  readonly cluster: string;
  /** Names of the clusters that can be asked for. */
  readonly clusters: readonly string[];
  /** Number of both in the period; of changes of verdict up to `mostCounted`, which then stands for that many or more. */
  readonly total: { readonly transitions: number; readonly changes: number };
  /** Those that are listed. By when they were noticed. */
  readonly transitions: readonly WireNotedTransition[];
  /** By when they happened, or had happened at the latest. */
  readonly changes: readonly WireChange[];
  /** There is more than is shown: of what happened at this moment and before nothing stands here; null where all of it does. */
  readonly back: string | null;
  /** Of one moment there was more than can be shown; the rest of it does not stand here. */
  readonly crowded: boolean;
  /** Since when there is a record; null where there is none. */
  readonly recordedSince: string | null;
  /** The share of the time of all objects in which they were being observed, 0 to 1; null where there were none. */
  readonly observed: number | null;
}

/** Changes of verdict are counted up to this many. */
export const mostCounted = 100_000;

/** Why there is nothing to show. */
export type NotChanged =
  | { readonly type: 'bad-period'; readonly message: string }
  | { readonly type: 'not-there'; readonly names: readonly WireNotThere[] }
  | { readonly type: 'unreadable' };
