import type { Correction } from './current.ts';
import type { Gap } from './gap.ts';
import type { ObjectRef } from './ref.ts';
import type { Span } from './span.ts';
import type { Verdict } from './verdict.ts';

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
 * How long commits took that arrived on clusters in a period: from being offered there to the last applier being converged at them
 * (lastAt - offeredAt).
 */
export interface ArrivalTimes {
  readonly took: Durations;
  /** How many more arrived of which it is not known when they were offered: before there was a record. */
  readonly unknown: number;
}

/** Figures over the incidents of a period. */
export interface IncidentFigures {
  /** How many began in the period, by when Plumbline knew (noticedAt): of periods side by side each is counted in one. */
  readonly opened: number;
  /** How many ended by converging in it. */
  readonly closed: number;
  /** How many lasted at its end. */
  readonly open: number;
  /** Of those that converged in it: closedAt - openedAt; how many of them are "at least". */
  readonly toConverge: Durations;
  readonly toConvergeAtLeast: number;
  /** noticedAt - openedAt of those that began in it with an exact beginning. */
  readonly toNotice: Durations;
  /**
   * Observed object-ms of incidents that were known, in which the object had been away (since openedAt) for longer than
   * `alarmWithin`, and was neither converged, suspended, unconfirmed nor unobserved: the time in which an alarm should have sounded.
   */
  readonly overdue: number;
}

/** One object's time away in a period. */
export interface Offender {
  readonly ref: ObjectRef;
  readonly shares: Shares;
  /** How many of its incidents were known and lasted at some time in the period. */
  readonly incidents: number;
  /** By their counts. */
  readonly corrections: number;
}

/** A time in which a cluster, or a kind on it (null: all of it), was not being observed. */
export interface RecordedGap extends Gap {
  readonly cluster: string;
  readonly kind: { readonly group: string; readonly kind: string } | null;
}

/** What was suspended, as the record has it. `by` is the field manager, null where nobody is known. */
export interface Suspension {
  readonly span: Span;
  readonly by: string | null;
}
