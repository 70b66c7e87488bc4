import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { snapshotTimeOf } from '../codec/snapshot-block.ts';

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

/** Days that are rolled up of all clusters of which any is, and those beside them. */
interface CommonDays {
  readonly common: { readonly clusters: readonly number[]; readonly days: Period } | null;
  readonly beside: readonly (Pick<RolledPart, 'clusters' | 'plain'> & { readonly rolled: readonly Period[] })[];
}

/**
 * Takes the days that are rolled up of several groups of clusters out of each. While a day is being rolled up, cluster by cluster, the
 * groups change all the time, and what they have in common stays: it can be read once for all, and kept.
 */
export function takeCommon(parts: readonly RolledPart[]): CommonDays {
  const some = parts.flatMap(({ clusters, rolled }) => (rolled === null ? [] : [{ clusters, rolled }]));
  const days = {
    from: Math.max(...some.map(({ rolled }) => rolled.from)),
    to: Math.min(...some.map(({ rolled }) => rolled.to)),
  };
  if (days.from >= days.to || some.length === 0)
    return {
      common: null,
      beside: parts.map(({ rolled, ...part }) => ({ ...part, rolled: rolled === null ? [] : [rolled] })),
    };
  return {
    common: { clusters: some.flatMap(({ clusters }) => clusters), days },
    beside: parts.map(({ rolled, ...part }) => ({ ...part, rolled: rolled === null ? [] : outside(rolled, days) })),
  };
}

function outside(whole: Period, inner: Period): readonly Period[] {
  return [
    { from: whole.from, to: inner.from },
    { from: inner.to, to: whole.to },
  ].filter(({ from, to }) => from < to);
}

/** Clusters of which the same mark is written down. */
export interface MarkedClusters {
  readonly clusters: readonly number[];
  /** ms; null for none: everything is sought. */
  readonly mark: number | null;
  /** True if what stood then may have ended since, without what is written down knowing. */
  readonly open: boolean;
}

/** Clusters by the last mark that is written down of them and is no later than a moment (ms). */
export function splitAtMarks(ranges: readonly RolledRange[], at: number): readonly MarkedClusters[] {
  const marked = ranges.map(({ cluster, from, to }) => {
    const last = Math.min(snapshotTimeOf(at), to);
    // Where no day is written down, how the one before ended is not either.
    const mark = to > from && last >= from ? last : null;
    return { cluster, mark, open: mark === to };
  });
  return [...Map.groupBy(marked, ({ mark, open }) => `${mark} ${open}`).values()].map((of) => ({
    clusters: of.map(({ cluster }) => cluster),
    mark: of[0]?.mark ?? null,
    open: of[0]?.open ?? false,
  }));
}
