import type { Arrival } from '../chain/arrival.ts';
import type { Correction } from './current.ts';
import type { Gap } from './gap.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { Span } from './span.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** Object-milliseconds by verdict. Gaps are laid over: what was not being observed is `unobserved`. All verdicts together: how long it existed. */
export type Shares = { readonly [V in Verdict]: number };

/** A drift that was found and undone, of one object. */
export interface LedgerEntry {
  readonly ref: ObjectRef;
  readonly correction: Correction;
}

/** Durations in ms, ascending: numbers alone, for a long period may have a million. */
export type Durations = Float64Array;

/**
 * Clusters of a question about arrivals of which only a part may be seen by who asks, by name. Arrivals are kept by cluster: none of theirs is told, and
 * what arrived for the part that is seen is not known.
 */
export interface PartlySeen {
  readonly partly: readonly string[];
}

/** Commits that arrived on clusters in a period. */
export interface Arrivals extends PartlySeen {
  readonly list: readonly Arrival[];
}

/**
 * Times that commits took which arrived on clusters in a period: from being offered there to the last applier being converged at them
 * (lastAt - offeredAt).
 */
export interface ArrivalTimes extends PartlySeen {
  /** Number of clusters that are counted: all of them that were known before the period ended, but for those in `partly`. */
  readonly of: number;
  readonly took: Durations;
  /** Number of those that arrived beside these of which it is not known when they were offered: before there was a record. */
  readonly unknown: number;
}

/** Figures over the absences of a period. */
export interface AbsenceFigures {
  /** Number that began in the period, by when Plumbline knew (noticedAt): of periods side by side each is counted in one. */
  readonly opened: number;
  /** Number that had been noticed before the period and lasted as it began. */
  readonly openAtStart: number;
  /** Number that ended by converging in it, and number of them that had lasted as it began. */
  readonly closed: number;
  readonly closedFromBefore: number;
  /** Number that ended in it otherwise: the object was removed, or its cluster is not watched any more. */
  readonly gone: number;
  /** Number that lasted at its end: opened + openAtStart - closed - gone. */
  readonly open: number;
  /** Of those that converged in it: closedAt - openedAt; and of those among them that lasted at least so long. */
  readonly toConverge: Durations;
  readonly toConvergeAtLeast: Durations;
  /** noticedAt - openedAt of those that began in it with an exact beginning. */
  readonly toNotice: Durations;
  /**
   * Observed object-ms of absences that were known, in which the object had been away (since openedAt) for longer than
   * `alarmWithin`, and was neither converged, suspended, unconfirmed nor unobserved: the time in which an alarm should have sounded.
   */
  readonly overdue: number;
}

/** One object's time away in a period. */
export interface Offender {
  readonly ref: ObjectRef;
  readonly shares: Shares;
  /** Number of its absences that were known and lasted at some time in the period. */
  readonly absences: number;
  /** By their counts. */
  readonly corrections: number;
}

/** A time in which a cluster, or a kind on it (null: all of it), was not being observed. */
export interface RecordedGap extends Gap {
  readonly cluster: string;
  readonly kind: { readonly group: string; readonly kind: string } | null;
}

/** Suspension, as the record has it. `by` is the field manager, null where nobody is known. */
export interface Suspension {
  readonly span: Span;
  readonly by: string | null;
}

/** Time on the wall clock (ms): however many objects there are, neither is longer than the period. */
export interface WallTime {
  /** While at least one object was seen to be away from git. */
  readonly away: number;
  /** While at least one of the clusters was being observed; narrowed to a kind: with that kind. */
  readonly observed: number;
}

/** The objects of one applier kind and name, on whichever clusters. */
export interface ApplicationTime extends WallTime {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** On how many clusters it was at some time in the period. */
  readonly clusters: number;
}

/** The wall clock of a period. */
export interface WallClock {
  readonly fleet: WallTime;
  /** Every cluster that the record knew before the period ended, by name. */
  readonly clusters: readonly (WallTime & { readonly cluster: string })[];
  /** The applications that were away longest, the longest first; none that was not away. */
  readonly applications: readonly ApplicationTime[];
}
