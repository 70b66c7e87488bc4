import type { Cause } from '../verdict/judgement.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** A stretch of time, half-open: `from` belongs to it, `to` does not. Both in ms since the epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * One object in one verdict on Plumbline's own clock, half-open. It begins when Plumbline knew (`noticedAt` of its transition);
 * an earlier onset is told beside it and never rewrites what was known. A span says what was judged: where its cluster or kind was
 * not being observed (`Gap`), a reader lays the gap over it. Times in ms since the epoch.
 */
export interface Span {
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly verdict: Verdict;
  readonly from: number;
  /** null while it lasts. */
  readonly to: number | null;
  /** When the verdict began on the cluster. */
  readonly onset: { readonly time: number; readonly bound: 'exact' | 'at-least' };
  readonly reason: string;
  /** Redacted; null where it is not kept any more (`record.messages`). */
  readonly message: string | null;
  /** The git commit that ran; null where it was not known. */
  readonly commit: string | null;
  /** The revision that had been tried last by then, verbatim; null where it was not known. */
  readonly attempted: string | null;
  readonly rootCause: Cause | null;
}

/**
 * Span that a reconciler itself told, when the object was first seen, of the time before Plumbline looked (Flux: status.history).
 * An attribute of the object for its timeline: never observed time, in no share and no absence. Times in ms since the epoch.
 */
export interface EarlierSpan {
  readonly ref: ObjectRef;
  readonly uid: string;
  /** First and last pass with this outcome at this content. What lay between two entries is not told. */
  readonly from: number;
  readonly to: number;
  /** True if its passes succeeded. */
  readonly good: boolean;
  /** The reconciler's own word, e.g. ReconciliationSucceeded, HealthCheckFailed. */
  readonly status: string;
  readonly revision: string | null;
}
