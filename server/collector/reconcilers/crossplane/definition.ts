import type { Condition, Observation, StatusSummary } from '#lib/domain/observation/observation.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf } from '../conditions.ts';
import { core } from './composite.ts';
import { crossplaneObservation } from './shared-fields.ts';
import { compositeExemptions } from './exemptions.ts';
import { bad, busy, good } from '../summaries.ts';

/** A CompositeResourceDefinition: Established makes the composite's CRD, Offered (v1 with claims) the claim's. */
export function observeDefinition(object: unknown, context: AdapterContext): Observation {
  const base = crossplaneObservation(object, context, 'definition', definitionSummary);
  const { conditions, suspended } = base;
  return {
    ...base,
    observedGeneration: conditionOf(conditions, 'Established')?.observedGeneration ?? null,
    exemptions: [...base.exemptions, ...compositeExemptions(object, suspended, [])],
    controller: core,
  };
}

function definitionSummary(conditions: readonly Condition[]): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const established = conditionOf(conditions, 'Established');
  if (established === null) return busy(null);
  for (const condition of [established, conditionOf(conditions, 'Offered')]) {
    if (condition === null || condition.status === 'True') continue;
    const isBusy = condition.status === 'Unknown' || condition.reason.startsWith('Terminating');
    return isBusy ? busy(condition) : bad('apply', condition);
  }
  return good(established);
}
