import type { Condition, Observation, StatusSummary } from '#lib/domain/observation/observation.ts';
import { at } from '#lib/foreign.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { composedDrift, core, referenceAt } from './composite.ts';
import { editorOf } from './editor.ts';
import { syncedGeneration } from './generation.ts';
import { managedSummary } from './managed-summary.ts';
import { compositeExemptions } from './exemptions.ts';
import { crossplaneSuspension } from './pause.ts';

/** A claim (CRD category `claim`); its composite is cluster-scoped and stands in spec.resourceRef. */
export function observeClaim(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'crossplane', 'claim');
  const { list: conditions, odd } = readConditions(object);
  const suspended = crossplaneSuspension(object);
  const composite = referenceAt(at(object, 'spec', 'resourceRef'), context.cluster, '');
  return {
    ...base,
    specEditedBy: editorOf(object),
    observedGeneration: syncedGeneration(conditions, object),
    summary: odd === null ? claimSummary(conditions, suspended !== null) : unrecognised(odd),
    suspended,
    conditions,
    drift: composedDrift(conditions),
    exemptions: [...base.exemptions, ...compositeExemptions(object, suspended, [])],
    children: composite === null ? [] : [composite],
    controller: core,
  };
}

/** Ready=False/Waiting: the composite is not ready yet, and says itself why. */
function claimSummary(conditions: readonly Condition[], isPaused: boolean): StatusSummary {
  const ready = conditionOf(conditions, 'Ready');
  const summary = managedSummary(conditions, isPaused);
  if (ready?.reason !== 'Waiting' || summary.said !== 'bad' || summary.fault !== 'health') return summary;
  return { said: 'busy', reason: summary.reason, message: summary.message, before: null };
}
