import { kindKey } from '#lib/domain/observation/ref.ts';
import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordCursor, RecordPage } from '../port/record-port.ts';

/** A stretch of time (ms) that may last: then `to` is null. */
interface OpenPeriod {
  readonly from: number;
  readonly to: number | null;
}

/** True if a stretch that is not empty overlaps a period. */
export function overlaps({ from, to }: OpenPeriod, period: Period): boolean {
  const end = to ?? Infinity;
  return from < period.to && end > period.from && end > from && period.from < period.to;
}

/** Length (ms) of a stretch within a period that it overlaps. */
export function timeWithin({ from, to }: OpenPeriod, period: Period): number {
  return Math.min(to ?? Infinity, period.to) - Math.max(from, period.from);
}

/** True if a moment (ms) lies in a period. */
export function isWithin(time: number | null, { from, to }: Period): boolean {
  return time !== null && time >= from && time < to;
}

/** The largest first; of equals the one that comes later in the list. */
export function descending<T>(list: readonly T[], rankOf: (one: T) => number): readonly T[] {
  return list
    .map((one, position) => ({ one, position, rank: rankOf(one) }))
    .toSorted((a, b) => b.rank - a.rank || b.position - a.position)
    .map(({ one }) => one);
}

/** One page of a whole list; its cursor is a place in it. */
export function pageOf<T>(
  all: readonly T[],
  { cursor, limit }: { readonly cursor: RecordCursor | null; readonly limit: number },
): RecordPage<T> {
  const start = cursor === null ? 0 : Number(cursor);
  const end = start + limit;
  return { items: all.slice(start, end), next: end < all.length ? String(end) : null };
}

/** A kind as group/kind; '' for the cluster itself. */
export function kindText(kind: CoveragePoint['kind']): string {
  return kind === null ? '' : kindKey(kind);
}
