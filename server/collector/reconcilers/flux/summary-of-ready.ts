import type { Condition, Fault, StatusSummary } from '#lib/domain/observation/observation.ts';
import { conditionOf, isTrue } from '../conditions.ts';

/** The status summary of a kind of Flux's family that says everything by Ready, with the kit's usual reasons (fluxcd/pkg apis/meta). */
export function summaryOfReady(conditions: readonly Condition[], otherwise: Fault): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return { said: 'busy', reason: '', message: '', before: null };
  const { reason, message } = ready;
  // Switched off from birth, flux-operator says Ready=True of nothing.
  if (reason === 'ReconciliationDisabled') return { said: 'nothing' };
  // So says a ResourceSetInputProvider that has never run, and only until its schedule comes for the first time.
  if (reason === 'SkippedDueToSchedule') return { said: 'bad', fault: 'approval', reason, message, terminal: false };
  if (ready.status === 'True') return { said: 'good', reason, message };
  if (ready.status === 'Unknown') return { said: 'busy', reason, message, before: null };
  const fault = faultOf(reason, otherwise);
  return { said: 'bad', fault, reason, message, terminal: isTrue(conditions, 'Stalled') };
}

function faultOf(reason: string, otherwise: Fault): Fault {
  switch (reason) {
    case 'DependencyNotReady':
      return 'dependency';
    case 'HealthCheckFailed':
      return 'health';
    case 'ArtifactFailed':
      return 'artifact';
    case 'BuildFailed':
    case 'ReconciliationFailed':
    case 'AccessDenied':
      return 'apply';
    default:
      return otherwise;
  }
}
