import type { Condition, Fault, SettledSummary, StatusSummary } from '#lib/domain/observation/observation.ts';
import { conditionOf, isTrue } from '../conditions.ts';

/**
 * The status summary of a HelmRelease (docs/facts/flux.md). Ready=True with Reconciling=True is a quiet pass, and good. `correcting`: drift is
 * being undone, during which Ready is Unknown for a moment though the release itself is as it was.
 */
export function helmReleaseSummary(conditions: readonly Condition[], correcting: boolean): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return { said: 'busy', reason: '', message: '', before: releaseBefore(conditions, false) };
  const { reason, message } = ready;
  if (ready.status === 'True') return { said: 'good', reason, message };
  if (ready.status === 'Unknown' || reason === 'HealthCheckCanceled') {
    return { said: 'busy', reason, message, before: releaseBefore(conditions, correcting) };
  }
  return { said: 'bad', fault: helmFault(reason), reason, message, terminal: isTrue(conditions, 'Stalled') };
}

/** Fault that a reason of Ready=False names; remediation that went well leaves the release as bad as it was. */
function helmFault(reason: string): Fault {
  switch (reason) {
    case 'ArtifactFailed':
    case 'SourceNotReady':
    case 'HelmChartSyncErr':
      return 'artifact';
    case 'DependencyNotReady':
      return 'dependency';
    case 'TestFailed':
      return 'health';
    default:
      return 'apply';
  }
}

/** Released=False outlives the next attempt. A good release says nothing of what stood in Ready, unless drift is being undone. */
function releaseBefore(conditions: readonly Condition[], correcting: boolean): SettledSummary | null {
  const released = conditionOf(conditions, 'Released');
  if (released === null) return null;
  const { reason, message } = released;
  if (released.status === 'False') return { said: 'bad', fault: helmFault(reason), reason, message, terminal: false };
  return released.status === 'True' && correcting ? { said: 'good', reason, message } : null;
}
