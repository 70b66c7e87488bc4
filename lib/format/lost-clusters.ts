import { countOf } from './number.ts';

/** Most clusters that are named. */
const most = 20;

/**
 * Lines for a probe about the clusters that are not seen: how many, then each with its state and since when (ms), at most 20. None where
 * all are seen.
 */
export function lostClusterLines(
  lost: readonly { readonly name: string; readonly state: string; readonly since: number }[],
): readonly string[] {
  if (lost.length === 0) return [];
  const named = lost
    .slice(0, most)
    .map(({ name, state, since }) => `  ${name}: ${state} since ${new Date(since).toISOString()}`);
  const left = lost.length - named.length;
  return [`${countOf(lost.length, 'cluster')} not seen:`, ...named, ...(left === 0 ? [] : [`  and ${left} more`])];
}
