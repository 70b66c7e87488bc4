import type { Condition, Fault, SettledSummary, StatusSummary } from '#lib/domain/observation/observation.ts';
import { conditionOf, isTrue } from '../conditions.ts';
import type { Plan } from './plan.ts';

/**
 * The status summary of a Terraform object. What was found to differ is no failure: drift stands beside the summary. A pass is two writes,
 * Ready=Unknown first. With a plan that waits for approval it is Ready=Unknown/TerraformPlannedWithChanges for as long as it
 * waits, and makes no pass meanwhile (tofu-controller controllers/tf_controller.go: no requeue).
 */
export function terraformSummary(conditions: readonly Condition[], plan: Plan): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const locked = conditionOf(conditions, 'StateLocked');
  if (locked?.status === 'True') return bad('apply', locked, false);
  const ready = conditionOf(conditions, 'Ready');
  const reason = ready?.reason ?? '';
  const message = ready?.message ?? '';
  if (ready === null || ready.status === 'Unknown') {
    if (ready !== null && reason === 'TerraformPlannedWithChanges' && plan.next !== 'apply')
      // A difference that is left in place is drift, and worse than waiting.
      return plan.next === 'leave' || plan.isDrift ? { said: 'good', reason, message } : bad('approval', ready, false);
    return { said: 'busy', reason, message, before: null };
  }
  if (ready.status === 'True' || reason === 'DriftDetected') return { said: 'good', reason, message };
  return bad(terraformFault(reason), ready, isTrue(conditions, 'Stalled'));
}

function bad(fault: Fault, { reason, message }: Condition, terminal: boolean): SettledSummary {
  return { said: 'bad', fault, reason, message, terminal };
}

/** Reasons: tofu-controller api/v1alpha2/terraform_types.go. */
function terraformFault(reason: string): Fault {
  switch (reason) {
    case 'ArtifactFailed':
      return 'artifact';
    case 'DependencyNotReady':
    case 'DeletionBlockedByDependants':
      return 'dependency';
    case 'HealthChecksFailed':
      return 'health';
    case 'DriftDetectionFailed':
      return 'observe';
    default:
      return 'apply';
  }
}
