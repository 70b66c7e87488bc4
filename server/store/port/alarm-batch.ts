import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';

/**
 * One alarm source's changes, written in one transaction or not at all; `at` in ms since the epoch. `source`: null where it has not changed.
 * `removed`: `factKey`s. `calls`: new ones, or the same (key, from) with its end.
 */
export interface AlarmBatch {
  readonly at: number;
  readonly source: AlarmSource | null;
  readonly put: readonly AlarmFact[];
  readonly removed: readonly string[];
  readonly calls: readonly AlarmCall[];
  readonly coverage: readonly AlarmCoverage[];
}
