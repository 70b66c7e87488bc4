import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import type { AlarmCoveragePage } from '#lib/domain/alarm/finding.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { second } from '#lib/domain/time/length.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';

/** Findings change without any cluster: they are made anew after so long (ms). */
const longest = 5 * second;

/** Coverage of a fleet by alarms as known at `now` (ms): counted once for all who ask, until something changes. */
export function keptCoverage(
  fleet: KnownFleet,
  alarms: KnownAlarms,
  policy: Policy,
): (now: number) => AlarmCoveragePage {
  let kept: { readonly stamp: number; readonly madeAt: number; readonly page: AlarmCoveragePage } | null = null;
  return (now) => {
    const clusters = fleet.all(now);
    const stamp = fleet.stamp(now);
    if (kept === null || kept.stamp !== stamp || Math.abs(now - kept.madeAt) >= longest)
      kept = { stamp, madeAt: now, page: alarms.coverage(clusters, now, policy) };
    return kept.page;
  };
}
