import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';

/** From which day to which (ms, half-open) a cluster is rolled up; empty where it is not. */
export interface RolledRange extends Period {
  readonly cluster: number;
}

/** Clusters of which the same part of a period is rolled up. */
export interface RolledPart {
  readonly clusters: readonly number[];
  /** Whole days; null for none. */
  readonly rolled: Period | null;
  /** Rest of the period. */
  readonly plain: readonly Period[];
}

/** Which part of a period is whole days that are rolled up, by clusters that are alike: together all of it, once. */
export function splitAtRolled(ranges: readonly RolledRange[], period: Period): readonly RolledPart[] {
  const [first, last] = [dayOf(period.from + day - 1), dayOf(period.to)];
  const alike = Map.groupBy(ranges, (range) => {
    const [from, to] = [Math.max(first, range.from), Math.min(last, range.to)];
    return from < to ? `${from}-${to}` : '';
  });
  return [...alike].map(([key, of]) => {
    const clusters = of.map(({ cluster }) => cluster);
    const [from, to] = key.split('-').map(Number);
    if (from === undefined || to === undefined) return { clusters, rolled: null, plain: [period] };
    const plain = [
      { from: period.from, to: from },
      { from: to, to: period.to },
    ];
    return { clusters, rolled: { from, to }, plain: plain.filter((part) => part.from < part.to) };
  });
}
