import type { Within } from '#lib/domain/access/within.ts';
import type { AlarmFigures, CalledFor, CalledHow, IncidentCalls } from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { RecordCursor, RecordPage, RecordScope } from './record-scope.ts';

/** Which calls are asked for: those that were known, and not over, at some time in the period. */
export interface CallQuestion {
  /** Of clusters: by what the source attributes a call to. Of kind, namespace or name: calls whose labels name such an object. */
  readonly scope: RecordScope;
  readonly period: Period;
  /** As known then (ms): an end that was noticed later is not told. */
  readonly at: number;
}

/** A call for an incident: for a member of it itself, or else for what one waited for. */
export interface IncidentCall {
  readonly call: AlarmCall;
  readonly by: CalledFor;
}

/** Which overdue absences are asked for, and which page of them. */
export interface CalledQuestion {
  /** Of the policy (ms). */
  readonly alarmWithin: number;
  readonly called: readonly CalledHow[];
  /** Of these alone, as the worst that they ever were; of all where it is absent. */
  readonly worst?: readonly Verdict[];
  /** Those alone that were over by a moment (ms), or that were not. */
  readonly over?: { readonly by: number; readonly is: boolean };
  readonly order: 'longest' | 'newest';
  readonly cursor: RecordCursor | null;
  readonly limit: number;
}

/** Answers about who was called, and when that could be known. Times in ms since the epoch, periods half-open. */
export interface AlarmReader {
  /** Calls, newest first (by `from`). */
  calls(
    question: CallQuestion,
    page: { readonly cursor: RecordCursor | null; readonly limit: number },
  ): Promise<RecordPage<AlarmCall>>;
  /**
   * Calls whose labels name an object, by kind and name at least, on the cluster to which they are attributed: newest first, those from `from` to `to`,
   * as known at `at`.
   */
  callsOf(
    ref: ObjectRef,
    range: { readonly from: number; readonly to: number; readonly at: number },
    limit: number,
  ): Promise<readonly AlarmCall[]>;
  /** Figures of who was called for what was away. `alarmWithin` (ms) of the policy: time is overdue as in `absenceFigures`. */
  alarmFigures(scope: RecordScope, period: Period, alarmWithin: number): Promise<AlarmFigures>;
  /**
   * Absences that lasted past their deadline at some time in a period, as `alarmFigures` counts them by who was called; in the orders of `absences`. A page
   * looks at a bounded number of them, and so may have fewer than its limit, or none, while more follow: there are as long as `next` is not null.
   */
  absencesCalled(scope: RecordScope, period: Period, asked: CalledQuestion): Promise<RecordPage<Absence>>;
  /**
   * Calls for members of an incident, or for what they waited for, while they were in it, as known at `at` (ms): newest first (by `from`). [] where there is
   * no such incident. `within`: for members that lie there alone, by whatever they waited for.
   */
  callsOfIncident(id: string, at: number, limit: number, within?: Within): Promise<readonly IncidentCall[]>;
  /**
   * The same summed up, by the ids of incidents: at most 200. Without those that were not known; null of one that has more members, or more calls in its
   * time, than are looked at.
   */
  incidentCalls(
    ids: readonly string[],
    at: number,
    within?: Within,
  ): Promise<ReadonlyMap<string, IncidentCalls | null>>;
  /** When alarm sources could be read, from `from` to `to` (both count), in the order of time; before it what held of each at `from`. */
  alarmCoverage(range: { readonly from: number; readonly to: number }): Promise<readonly AlarmCoverage[]>;
}
