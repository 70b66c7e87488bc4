import type { Labels } from './fact.ts';

/**
 * A time in which somebody was called: an Alertmanager had the alert, held it back by nothing, and routed it to a receiver that calls with anything.
 * Append-only. Times in ms since the epoch.
 */
export interface AlarmCall {
  /** Name of the alarm source. */
  readonly source: string;
  /** Of the alert, behind the Alertmanager's address; with `from` the call's own name. */
  readonly key: string;
  /** Name of the alert, and so of its rule. */
  readonly alert: string;
  readonly labels: Labels;
  /** The cluster that it speaks of, as the source attributes it; null where it names none. */
  readonly cluster: string | null;
  readonly receivers: readonly string[];
  /**
   * True if its rule reads objects of reconcilers: a call that names none may be for any of them then. null where that is not known: no
   * program of the source tells of a rule of that name, or the call was recorded before this was.
   */
  readonly readsObjects: boolean | null;
  /** When the alert began to fire, as Alertmanager tells it. */
  readonly startsAt: number;
  /** When Plumbline knew that somebody is called. */
  readonly from: number;
  /** When Plumbline knew that nobody is any more; null while it lasts. */
  readonly to: number | null;
}

/** From `at` (ms) on an alarm source can be read, whole, or not: append-only. */
export interface AlarmCoverage {
  readonly source: string;
  readonly at: number;
  readonly read: boolean;
  /** Clusters that it speaks for; empty: for all that its label names. */
  readonly clusters: readonly string[];
  /** Why it cannot be read; null where it can. */
  readonly reason: string | null;
}

/** Why a source that was forgotten is not read: from then on it speaks for no cluster. */
export const notConfigured = 'It is configured no longer.';
