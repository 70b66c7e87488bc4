import type { Condition, Fault, SettledSummary, StatusSummary } from '#lib/domain/observation/observation.ts';
import { numberAt } from '#lib/foreign.ts';
import { reasonAt } from '#lib/foreign-words.ts';
import { conditionOf } from '../conditions.ts';
import { bad, busy, good } from '../summaries.ts';

/**
 * The status summary of a Stack by its "ready protocol" (operator/api/pulumi/v1/stack_types.go): Ready=False stands beside either Stalled=True
 * or Reconciling=True, whose reason and message say why.
 */
export function stackSummary(object: unknown, conditions: readonly Condition[]): StatusSummary {
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return { said: 'nothing' };
  if (ready.status === 'True') return good(ready);
  const stalled = conditionOf(conditions, 'Stalled');
  if (stalled?.status === 'True') return bad(faultOf(stalled), stalled, true);
  const reconciling = conditionOf(conditions, 'Reconciling');
  if (reconciling?.status !== 'True') return bad(faultOf(ready), ready);
  // Between two attempts: what failed is the summary, though another attempt will come.
  if (reconciling.reason !== 'StackProcessing') return bad(faultOf(reconciling), reconciling);
  return busy(reconciling, lastUpdate(object));
}

function faultOf({ reason }: Condition): Fault {
  if (reason === 'SourceUnavailable') return 'artifact';
  return reason === 'PrerequisiteNotSatisfied' ? 'dependency' : 'apply';
}

/** Outcome of the last update: a failure whatever it was of, a success only where it was of the present spec. */
function lastUpdate(object: unknown): SettledSummary | null {
  const state = reasonAt(object, 'status', 'lastUpdate', 'state');
  if (state === 'failed') return bad('apply', { reason: 'UpdateFailed', message: '' });
  const present = numberAt(object, 'status', 'lastUpdate', 'generation') === numberAt(object, 'metadata', 'generation');
  return state === 'succeeded' && present ? good({ reason: 'ProcessingCompleted', message: '' }) : null;
}
