import type { Arrival } from '#lib/domain/chain/arrival.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentCluster, Transition } from '#lib/domain/record/current.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import type { RefKey } from '#lib/domain/observation/ref.ts';
import type { EarlierSpan } from '#lib/domain/record/span.ts';
import type { PastTraits, LastKnownOrigin } from '../record/past-fleet.ts';
import type { CoverageChange } from '../port/port.ts';
import type { LedgerEntry } from '../port/record-port.ts';

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
  readonly places: ReadonlyMap<RefKey, LastKnownOrigin>;
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
