import { whole, type Row } from '../../rows/cells.ts';
import type { Scopes } from './record-scope.ts';

/** Number of the longest rows of a table that are looked at before all of a period are. */
export const longestWalked = 10_000;

/**
 * So many rows whose first column is a length within a period, the longest first: from the longest there are, where those are enough.
 * `lengths` selects the lengths of all, the longest first: what lies behind the longest is no longer, whatever of it is in the period.
 */
export function longestRows(
  scopes: Scopes,
  lengths: string,
  limit: number,
  ranked: (among: 'longest' | 'all') => readonly Row[],
): readonly Row[] {
  const top = ranked('longest');
  const [shortest] = scopes.ids(`${lengths} LIMIT 1 OFFSET ${longestWalked - 1}`);
  const last = top[limit - 1];
  const isEnough = shortest === undefined || (last !== undefined && whole(last[0]) > shortest);
  return isEnough ? top : ranked('all');
}
