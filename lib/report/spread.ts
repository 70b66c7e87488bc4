import { hour, minute } from '../domain/time/length.ts';

/** Durations in short. Times in ms; null where there is none. */
export interface Spread {
  readonly count: number;
  /** Half of them are no longer than this. */
  readonly median: number | null;
  /** 95 of 100 are no longer than this. */
  readonly p95: number | null;
}

/** Ascending durations in ms. */
type Ascending = ArrayLike<number>;

/**
 * The value that at least this share of ascending `durations` does not exceed, always one of them (nearest rank: a value between
 * two that were measured was never measured); null where there is none.
 */
export function quantile(durations: Ascending, share: number): number | null {
  if (durations.length === 0) return null;
  return durations[rankOf(durations, share) - 1] ?? null;
}

/** Number of some durations, of one or more, that are no longer than their quantile (nearest rank). */
function rankOf({ length }: Ascending, share: number): number {
  return Math.max(1, Math.ceil(share * length));
}

/** Median and 95th of 100 of ascending durations. */
export function spreadOf(durations: Ascending): Spread {
  return { count: durations.length, median: quantile(durations, 0.5), p95: quantile(durations, 0.95) };
}

/**
 * True if a quantile of ascending `durations` may be higher than `quantile` says: `atLeast` are those among them (ascending) that are
 * only known as "at least". It cannot be where the others that do not exceed it are enough to hold its rank.
 */
export function isLowerBound(durations: Ascending, atLeast: Ascending, share: number): boolean {
  const value = quantile(durations, share);
  if (value === null) return false;
  const exactly = countUpTo(durations, value) - countUpTo(atLeast, value);
  return exactly < rankOf(durations, share);
}

/** Where the bars of the distribution end (ms), each up to and without; the last has no end. */
const edges: readonly number[] = [5 * minute, 15 * minute, hour, 4 * hour, 24 * hour];

/** One bar of a distribution: durations of at least `from` and less than `to` (ms; null for no end). */
export interface Bar {
  readonly from: number;
  readonly to: number | null;
  readonly count: number;
}

/** Number of ascending durations that are shorter than a time. */
function countBelow(durations: Ascending, time: number): number {
  let [low, high] = [0, durations.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((durations[middle] ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of ascending durations, in whole ms, that are no longer than a time. */
function countUpTo(durations: Ascending, time: number): number {
  return countBelow(durations, time + 1);
}

/** Number of ascending durations in each bar: below 5 min, to 15 min, to 1 h, to 4 h, to 1 d, longer. */
export function distributionOf(durations: Ascending): readonly Bar[] {
  return [0, ...edges].map((from, index) => {
    const to = edges[index] ?? null;
    const end = to === null ? durations.length : countBelow(durations, to);
    return { from, to, count: end - countBelow(durations, from) };
  });
}
