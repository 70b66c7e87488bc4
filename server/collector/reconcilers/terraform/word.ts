import type { Condition, Fault, Word } from '#lib/domain/observation.ts';
import { conditionOf, isTrue } from '../conditions.ts';

/**
 * The word of a Terraform object. DriftDetected is no failure: the drift stands beside the word. A plan that waits for approval
 * is Ready=Unknown/TerraformPlannedWithChanges for as long as it waits.
 */
export function terraformWord(conditions: readonly Condition[]): Word {
  if (conditions.length === 0) return { said: 'nothing' };
  const locked = conditionOf(conditions, 'StateLocked');
  if (locked?.status === 'True') {
    return { said: 'bad', fault: 'apply', reason: locked.reason, message: locked.message, terminal: false };
  }
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null || ready.status === 'Unknown') {
    return { said: 'busy', reason: ready?.reason ?? '', message: ready?.message ?? '', before: null };
  }
  const { reason, message } = ready;
  if (ready.status === 'True' || reason === 'DriftDetected') return { said: 'good', reason, message };
  return { said: 'bad', fault: terraformFault(reason), reason, message, terminal: isTrue(conditions, 'Stalled') };
}

function terraformFault(reason: string): Fault {
  switch (reason) {
    case 'ArtifactFailed':
      return 'artifact';
    case 'DependencyNotReady':
      return 'dependency';
    case 'HealthChecksFailed':
      return 'health';
    case 'DriftDetectionFailed':
      return 'observe';
    default:
      return 'apply';
  }
}
