import type { Condition, Fault, StatusSummary } from '#lib/domain/observation/observation.ts';
import { conditionOf, isTrue } from '../conditions.ts';
import { bad, busy, good } from '../summaries.ts';
import type { Plan } from './plan.ts';

/**
 * The status summary of a Terraform object. What was found to differ is no failure: drift stands beside the summary. A pass is two writes,
 * Ready=Unknown first. With a plan that waits for approval it is Ready=Unknown/TerraformPlannedWithChanges for as long as it
 * waits, and makes no pass meanwhile (tofu-controller controllers/tf_controller.go: no requeue).
 */
export function terraformSummary(conditions: readonly Condition[], plan: Plan): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const locked = conditionOf(conditions, 'StateLocked');
  if (locked?.status === 'True') return bad('apply', locked);
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return busy(null);
  const { status, reason } = ready;
  if (status === 'Unknown') {
    if (reason !== 'TerraformPlannedWithChanges' || plan.next === 'apply') return busy(ready);
    // A difference that is left in place is drift, and worse than waiting.
    return plan.next === 'leave' || plan.isDrift ? good(ready) : bad('approval', ready);
  }
  if (status === 'True' || reason === 'DriftDetected') return good(ready);
  return bad(faults.get(reason) ?? 'apply', ready, isTrue(conditions, 'Stalled'));
}

/** Reasons: tofu-controller api/v1alpha2/terraform_types.go. */
const faults: ReadonlyMap<string, Fault> = new Map([
  ['ArtifactFailed', 'artifact'],
  ['DependencyNotReady', 'dependency'],
  ['DeletionBlockedByDependants', 'dependency'],
  ['HealthChecksFailed', 'health'],
  ['DriftDetectionFailed', 'observe'],
]);
