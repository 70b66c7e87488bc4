import type { Condition } from '#lib/domain/observation/observation.ts';
import { numberAt } from '#lib/foreign.ts';
import { conditionOf } from '../conditions.ts';

/**
 * True if a pass is under way: Ready=Unknown, or Reconciling=True. A failing object keeps Reconciling=True with
 * ProgressingWithRetry between its passes, which is no pass.
 */
export function passUnderWay(conditions: readonly Condition[]): boolean {
  if (conditionOf(conditions, 'Ready')?.status === 'Unknown') return true;
  const reconciling = conditionOf(conditions, 'Reconciling');
  return reconciling?.status === 'True' && reconciling.reason !== 'ProgressingWithRetry';
}

/** The generation that a condition speaks of: its own where it has one, else the object's; null where neither says. */
export function generationOf(condition: Condition | null, object: unknown): number | null {
  return condition?.observedGeneration ?? numberAt(object, 'status', 'observedGeneration');
}
