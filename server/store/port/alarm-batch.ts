import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';

/** Changes of one alarm source, written in one transaction or not at all. Times in ms since the epoch. */
export interface AlarmBatch {
  readonly at: number;
  /** Its present record; null where that has not changed. */
  readonly source: AlarmSource | null;
  /** Facts that are new, or other than before. */
  readonly put: readonly AlarmFact[];
  /** Keys (`factKey`) of facts that are so no longer. */
  readonly removed: readonly string[];
  /** Calls that began, and those that ended: of one key and `from` the later word counts. */
  readonly calls: readonly AlarmCall[];
  readonly coverage: readonly AlarmCoverage[];
}

/** An alarm source as it is stored: what a reader goes on from. */
export interface StoredAlarms {
  /** Its present record; null where none is stored. */
  readonly source: AlarmSource | null;
  readonly facts: readonly AlarmFact[];
  /** Those without an end. */
  readonly openCalls: readonly AlarmCall[];
}
