import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordCursor, RecordPage, RecordScope } from './record-scope.ts';

/** Which calls are asked for: those that were known, and not over, at some time in the period. */
export interface CallQuestion {
  /** Of clusters: by what the source attributes a call to. Of kind, namespace or name: calls whose labels name such an object. */
  readonly scope: RecordScope;
  readonly period: Period;
  /** As known then (ms): an end that was noticed later is not told. */
  readonly at: number;
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
  alarmFigures(scope: RecordScope, period: Period, alarmWithin: number): Promise<AlarmFigures>;
  /** When alarm sources could be read, from `from` to `to` (both count), in the order of time; before it what held of each at `from`. */
  alarmCoverage(range: { readonly from: number; readonly to: number }): Promise<readonly AlarmCoverage[]>;
}
