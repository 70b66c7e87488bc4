import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { Correction, CurrentCluster, CurrentObject, Transition } from '#lib/domain/record/current.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type {
  Arrivals,
  ArrivalTimes,
  AbsenceFigures,
  LedgerEntry,
  Offender,
  RecordedGap,
  Shares,
  Suspension,
  WallClock,
} from '#lib/domain/record/figures.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { AlarmReader } from './alarm-port.ts';
import type { IncidentReader } from './incident-port.ts';
import type { RecordCursor, RecordPage, RecordScope } from './record-scope.ts';
import type { EarlierSpan, Period, Span } from '#lib/domain/record/span.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';

export type { RecordCursor, RecordPage, RecordScope } from './record-scope.ts';
export type {
  Arrivals,
  ArrivalTimes,
  Durations,
  AbsenceFigures,
  LedgerEntry,
  Offender,
  RecordedGap,
  Shares,
  Suspension,
  WallClock,
} from '#lib/domain/record/figures.ts';

/** The whole fleet as it was recorded at a past moment. */
export interface PastFleet {
  /**
   * Clusters that were known then. What was not kept is empty: version, protocol, controllers, conflicts. `validUntil` is just
   * past the moment where it was observed.
   */
  readonly clusters: readonly CurrentCluster[];
  /**
   * Objects that existed then. Verdict, reason, onset, commit, drift and proof as recorded when that verdict began; `awaySince` of
   * the absence then open; source, delivery and path as last recorded; the sentence says what of it is kept; exemptions are not
   * (empty).
   */
  readonly objects: readonly CurrentObject[];
}

/**
 * The record: what was known when. Everything is asked by periods on Plumbline's own clock (ms since the epoch, half-open), and is
 * exact: what is rolled up gives the very same figures as the spans would. A period is cut at `now` by whoever asks.
 */
export interface RecordReader extends AlarmReader, IncidentReader {
  /** Since when there is a record (ms): the oldest coverage; null where there is none. */
  since(scope: RecordScope): Promise<number | null>;
  /** Of one object, oldest first: every span that overlaps the period. */
  spans(ref: ObjectRef, period: Period, limit: number): Promise<readonly Span[]>;
  /** Of many, newest first: every span that overlaps the period, of these verdicts only (absent: of all). */
  spansIn(
    scope: RecordScope,
    period: Period,
    page: { readonly verdicts?: readonly Verdict[]; readonly cursor: RecordCursor | null; readonly limit: number },
  ): Promise<RecordPage<Span>>;
  /** Spans that the reconcilers told of the time before Plumbline looked, oldest first. */
  earlier(ref: ObjectRef): Promise<readonly EarlierSpan[]>;
  /** Gaps of clusters and of their kinds that overlap the period: cluster after cluster, of each the oldest first. */
  gaps(clusters: readonly string[], period: Period): Promise<readonly RecordedGap[]>;
  /**
   * Absences that were known (from noticedAt on) and not yet over at some time in the period: the longest within it first (from
   * openedAt on, cut to it), or the newest (noticedAt) first.
   */
  absences(
    scope: RecordScope,
    period: Period,
    page: { readonly order: 'longest' | 'newest'; readonly cursor: RecordCursor | null; readonly limit: number },
  ): Promise<RecordPage<Absence>>;
  absenceFigures(scope: RecordScope, period: Period, alarmWithin: number): Promise<AbsenceFigures>;
  /** Corrections in the period, newest first. */
  corrections(
    scope: RecordScope,
    period: Period,
    page: { readonly cursor: RecordCursor | null; readonly limit: number },
  ): Promise<RecordPage<LedgerEntry>>;
  /** Number of corrections (by their counts), by UTC day (its beginning, ms) and certainty. */
  correctionDays(
    scope: RecordScope,
    period: Period,
  ): Promise<readonly { readonly day: number; readonly certainty: Correction['certainty']; readonly count: number }[]>;
  /** Object-ms by verdict: in all, by UTC day (key: its beginning in ms), by cluster, or by group/kind. */
  shares(
    scope: RecordScope,
    period: Period,
    by: 'total' | 'day' | 'cluster' | 'kind',
  ): Promise<readonly { readonly key: string; readonly shares: Shares }[]>;
  /**
   * Time in which at least one object was away, of all, by cluster and by application: no second is counted twice. `applications`: how many
   * of those are told.
   */
  wallClock(scope: RecordScope, period: Period, applications: number): Promise<WallClock>;
  /** Number of objects that existed at some time in the period. */
  objectCount(scope: RecordScope, period: Period): Promise<number>;
  /** True if any object existed at some time in the period: looked for until one is found, not counted. */
  hasObject(scope: RecordScope, period: Period): Promise<boolean>;
  /** The objects that were away longest, by observed ms that was neither converged, suspended nor unconfirmed; none that was not. */
  worst(scope: RecordScope, period: Period, limit: number): Promise<readonly Offender[]>;
  /**
   * Spans of `suspended` in the period, the longest within it first. `by` is of the last change `suspended` of the object that was
   * noticed before the span ended, unless it was resumed between that and the span.
   */
  suspensions(scope: RecordScope, period: Period, limit: number): Promise<readonly Suspension[]>;
  /** Number of changes of each of these types, by `at`; none of those that there were none of. */
  changeCounts(
    scope: RecordScope,
    period: Period,
    types: readonly ChangeFact['type'][],
  ): Promise<readonly { readonly type: ChangeFact['type']; readonly count: number }[]>;
  /** Commits that arrived on clusters in the period (by lastAt), newest first. */
  arrivals(scope: RecordScope, period: Period, limit: number): Promise<Arrivals>;
  /** Times that all of those took. */
  arrivalTimes(scope: RecordScope, period: Period): Promise<ArrivalTimes>;
  /** Changes of verdict by when they were noticed, newest first; objects that came (`from` null) and went (`to` null) among them. */
  transitions(
    scope: RecordScope,
    period: Period,
    page: { readonly cursor: RecordCursor | null; readonly limit: number },
  ): Promise<RecordPage<Transition>>;
  /** Number of those; `most` where there are that many or more. */
  transitionCount(scope: RecordScope, period: Period, most: number): Promise<number>;
  /**
   * The nearest moments (ms) before and after `at` at which what is known of the scope changed: a verdict, an object that came or
   * went (by when that was noticed), or whether it is being observed. null where there is none.
   */
  changesBeside(
    at: number,
    scope: RecordScope,
  ): Promise<{ readonly before: number | null; readonly after: number | null }>;
  /** Everything as it was recorded at a past moment (ms). */
  stateAt(at: number, scope: RecordScope): Promise<PastFleet>;
}
