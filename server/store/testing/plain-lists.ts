import type { Arrival } from '#lib/domain/arrival.ts';
import type { NotedChange } from '#lib/domain/change.ts';
import type { CurrentCluster, Transition } from '#lib/domain/current.ts';
import type { Incident } from '#lib/domain/incident.ts';
import type { RefKey } from '#lib/domain/ref.ts';
import type { EarlierSpan } from '#lib/domain/span.ts';
import type { PastTraits, Place } from '../past-fleet.ts';
import type { CoverageChange } from '../port.ts';
import type { LedgerEntry } from '../record-port.ts';

/** All that was ever recorded, each list in the order in which it was written. Times in ms since the epoch. */
export interface PlainHistory {
  readonly transitions: readonly Transition[];
  readonly coverage: readonly CoverageChange[];
  readonly changes: readonly NotedChange[];
  readonly incidents: readonly Incident[];
  readonly corrections: readonly LedgerEntry[];
  readonly earlier: readonly EarlierSpan[];
  readonly arrivals: readonly Arrival[];
  /** Of a transition, what was kept of the object's record. */
  readonly traits: ReadonlyMap<Transition, PastTraits>;
  /** Where objects come from, as last recorded. */
  readonly places: ReadonlyMap<RefKey, Place>;
  /** The present records of clusters. */
  readonly clusters: readonly CurrentCluster[];
}

/** Before anything was. */
export const nothingRecorded: PlainHistory = {
  transitions: [],
  coverage: [],
  changes: [],
  incidents: [],
  corrections: [],
  earlier: [],
  arrivals: [],
  traits: new Map(),
  places: new Map(),
  clusters: [],
};
