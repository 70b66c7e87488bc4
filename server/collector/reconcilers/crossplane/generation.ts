import type { Condition } from '#lib/domain/observation/observation.ts';
import { numberAt } from '#lib/foreign.ts';
import { conditionOf } from '../conditions.ts';

/** The generation that the last pass looked at: Synced's own, Ready's where it has none (runtime 1.19 has neither), the status'. */
export function syncedGeneration(conditions: readonly Condition[], object: unknown): number | null {
  const own =
    conditionOf(conditions, 'Synced')?.observedGeneration ?? conditionOf(conditions, 'Ready')?.observedGeneration;
  return own ?? numberAt(object, 'status', 'observedGeneration');
}
