import type { Last } from '#lib/api/params.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { hour } from '#lib/domain/time/length.ts';
import type { Fault } from '../http/problem.ts';

/** A period that ends before it begins, begins after now, or is too long. */
type BadPeriod = Extract<Fault, { readonly type: 'bad-parameter' }>;

const lengths: Readonly<Record<Last, number>> = {
  '6h': 6 * hour,
  '24h': 24 * hour,
  '7d': 7 * 24 * hour,
  '30d': 30 * 24 * hour,
  '90d': 90 * 24 * hour,
};

/** The longest period that is asked for at once, as in a report: what is told day by day must have an end. */
const longest = 1_100 * 24 * hour;

/** The period that a query names, cut at `now` (ms). */
export function periodOf(
  query: { readonly from: string; readonly to: string; readonly last: Last },
  now: number,
): Period | BadPeriod {
  const to = Math.min(now, query.to === '' ? now : Date.parse(query.to));
  const from = query.from === '' ? to - lengths[query.last] : Date.parse(query.from);
  if (to - from > longest) return bad('is more than 1,100 days before "to"');
  if (from < to) return { from, to };
  return bad(from >= now ? 'is not in the past' : 'is not before "to"');
}

function bad(message: string): BadPeriod {
  return { type: 'bad-parameter', name: 'from', message };
}

/**
 * Until when (ms) anybody vouches for any of the clusters of these names (null for all): a collector that died tells of its gap only
 * when it starts again, and until then what it said last seems to last. Infinity where nobody is known to have vouched.
 */
export function vouchedUntil(
  clusters: readonly { readonly name: string; readonly validUntil?: number | null }[],
  names: readonly string[] | null,
): number {
  const asked = names === null ? clusters : clusters.filter(({ name }) => names.includes(name));
  const times = asked.flatMap(({ validUntil }) => validUntil ?? []);
  return times.length === 0 ? Infinity : times.reduce((a, b) => Math.max(a, b));
}
