import type { WireRow } from '#lib/api/fleet.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { parseTime } from '#lib/format/time.ts';

/** True if a cluster should be seen and is not; a row of what is declared hides nothing. */
export function isUnseen({ state }: Pick<WireRow, 'state'>): boolean {
  return state !== 'live' && state !== 'declared';
}

/** Sight of a cluster, in two words at most: "live", "planned work", "lost 38 min". `loud` where it is not seen and should be. */
export function rowState(
  row: Pick<WireRow, 'state' | 'since' | 'bound' | 'plannedWork' | 'cautions'>,
  now: number,
): { readonly text: string; readonly loud: boolean } {
  const since = parseTime(row.since);
  // Two words have no room for "at least".
  const age = since === null || row.bound === 'at-least' ? '' : ` ${formatDuration(Math.max(0, now - since))}`;
  switch (row.state) {
    case 'live':
      if (row.plannedWork !== null) return { text: 'planned work', loud: false };
      return { text: row.cautions.length === 0 ? 'live' : 'live, caution', loud: false };
    case 'connecting':
      return { text: 'reading', loud: false };
    case 'unreachable':
      return { text: `lost${age}`, loud: true };
    case 'unauthorized':
      return { text: `refused${age}`, loud: true };
    case 'misconfigured':
      return { text: 'no access', loud: true };
    case 'unobserved':
      return { text: `unseen${age}`, loud: true };
    case 'declared':
      return { text: 'declared', loud: false };
  }
}
