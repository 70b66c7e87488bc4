import type { WireIncident } from '#lib/api/incident.ts';
import { mostSuspected } from '#lib/api/git/suspect.ts';

/** Ids of those incidents of a list that broke in a range of commits, with commas, in an order of their own: the first of many. */
export function suspectedIn(rows: readonly Pick<WireIncident, 'id' | 'range'>[]): string {
  const ids = rows.flatMap(({ id, range }) => (range?.lastGood && range.firstBad ? [id] : []));
  return ids.slice(0, mostSuspected).toSorted().join(',');
}
