import type { WireFigures, WireReportIncident } from '#lib/api/report.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';

/** A line of the CSV file of a report. */
export interface Row {
  readonly section: string;
  readonly ref?: Partial<ObjectRef>;
  readonly at?: string | null;
  readonly to?: string | null;
  readonly figure: string;
  readonly value: number | null;
  readonly unit: 'share' | 'ms' | 'object-ms' | 'count';
  readonly before?: number | null;
  readonly note?: string | null;
  /** The id of the incident that it is of. */
  readonly incident?: string;
  readonly suspect?: WireReportIncident['suspect'];
}

/** One figure of a period: its name and unit, how it is read, and whether it may be higher. */
export type Summary = readonly [
  figure: string,
  unit: Row['unit'],
  read: (figures: WireFigures) => number | null,
  atLeast?: ((figures: WireFigures) => boolean) | undefined,
  /** Why it cannot be said, or of what it is not known; null where it can. */
  unsaid?: (figures: WireFigures) => string | null,
];
