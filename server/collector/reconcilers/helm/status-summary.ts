import type { Condition, Fault, SettledSummary, StatusSummary } from '#lib/domain/observation/observation.ts';
import { conditionOf, isTrue } from '../conditions.ts';
import { bad, busy, good } from '../summaries.ts';

/**
 * The status summary of a HelmRelease (docs/facts/flux.md). Ready=True with Reconciling=True is a quiet pass, and good. `correcting`: drift is
 * being undone, during which Ready is Unknown for a moment though the release itself is as it was.
 */
export function helmReleaseSummary(conditions: readonly Condition[], correcting: boolean): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return busy(null, releaseBefore(conditions, false));
  if (ready.status === 'True') return good(ready);
  if (ready.status === 'Unknown' || ready.reason === 'HealthCheckCanceled')
    return busy(ready, releaseBefore(conditions, correcting));
  return bad(helmFault(ready.reason), ready, isTrue(conditions, 'Stalled'));
}

/** Fault that a reason of Ready=False names; remediation that went well leaves the release as bad as it was. */
function helmFault(reason: string): Fault {
  return faults.get(reason) ?? 'apply';
}

const faults: ReadonlyMap<string, Fault> = new Map([
  ['ArtifactFailed', 'artifact'],
  ['SourceNotReady', 'artifact'],
  ['HelmChartSyncErr', 'artifact'],
  ['DependencyNotReady', 'dependency'],
  ['TestFailed', 'health'],
]);

/** Released=False outlives the next attempt. A good release says nothing of what stood in Ready, unless drift is being undone. */
function releaseBefore(conditions: readonly Condition[], correcting: boolean): SettledSummary | null {
  const released = conditionOf(conditions, 'Released');
  if (released?.status === 'False') return bad(helmFault(released.reason), released);
  return released?.status === 'True' && correcting ? good(released) : null;
}
