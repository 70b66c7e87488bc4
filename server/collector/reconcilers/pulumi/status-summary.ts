import type { Condition, Fault, SettledSummary, StatusSummary } from '#lib/domain/observation/observation.ts';
import { numberAt, textAt } from '#lib/foreign.ts';
import { conditionOf } from '../conditions.ts';

/**
 * The status summary of a Stack by its "ready protocol" (operator/api/pulumi/v1/stack_types.go): Ready=False stands beside either Stalled=True
 * or Reconciling=True, whose reason and message say why.
 */
export function stackSummary(object: unknown, conditions: readonly Condition[]): StatusSummary {
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return { said: 'nothing' };
  if (ready.status === 'True') return { said: 'good', reason: ready.reason, message: ready.message };
  const stalled = conditionOf(conditions, 'Stalled');
  if (stalled?.status === 'True') return bad(stalled, true);
  const reconciling = conditionOf(conditions, 'Reconciling');
  if (reconciling?.status !== 'True') return bad(ready, false);
  // Between two attempts: what failed is the summary, though another attempt will come.
  if (reconciling.reason !== 'StackProcessing') return bad(reconciling, false);
  return { said: 'busy', reason: reconciling.reason, message: reconciling.message, before: lastUpdate(object) };
}

function bad({ reason, message }: Condition, terminal: boolean): SettledSummary {
  return { said: 'bad', fault: faultOf(reason), reason, message, terminal };
}

function faultOf(reason: string): Fault {
  switch (reason) {
    case 'SourceUnavailable':
      return 'artifact';
    case 'PrerequisiteNotSatisfied':
      return 'dependency';
    default:
      return 'apply';
  }
}

/** Outcome of the last update: a failure whatever it was of, a success only where it was of the present spec. */
function lastUpdate(object: unknown): SettledSummary | null {
  const state = textAt(object, 'status', 'lastUpdate', 'state');
  if (state === 'failed') return { said: 'bad', fault: 'apply', reason: 'UpdateFailed', message: '', terminal: false };
  const present = numberAt(object, 'status', 'lastUpdate', 'generation') === numberAt(object, 'metadata', 'generation');
  return state === 'succeeded' && present ? { said: 'good', reason: 'ProcessingCompleted', message: '' } : null;
}
