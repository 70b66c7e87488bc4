import type { Cadence, Observation } from '#lib/domain/observation/observation.ts';
import { nameAt, wordAt } from '#lib/foreign-words.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import type { AdapterContext } from '../adapter.ts';
import { exemptionList } from '../exemption-list.ts';
import { goDuration } from '../go-duration.ts';
import { fluxObservation, annotationSuspension, suspensionMeaning, fluxInventory } from './shared-fields.ts';
import { summaryOfReady } from './status-summary.ts';

export const operatorGroup = 'fluxcd.controlplane.io';

/**
 * flux-operator: FluxInstance and ResourceSet apply, a ResourceSetInputProvider fetches inputs for ResourceSets. They tell neither
 * a pass that changes nothing nor drift, so they live by the operator's Lease. What a ResourceSet applied is a digest of what it
 * rendered: no commit. Source: controlplaneio-fluxcd/flux-operator api/v1 and cmd/operator/main.go.
 */
export function observeOperator(object: unknown, context: AdapterContext): Observation {
  const provider = context.kind.kind === 'ResourceSetInputProvider';
  const suspended = annotationSuspension(object, operatorGroup);
  const base = fluxObservation(object, context, ['flux', provider ? 'helper' : 'applier'], suspended, (conditions) =>
    summaryOfReady(conditions, provider ? 'fetch' : 'apply'),
  );
  const list = exemptionList(object, null);
  list.addSuspension(suspended, provider ? 'new inputs do not arrive' : suspensionMeaning);
  return {
    ...base,
    cadence: operatorCadence(object, provider ? 10 * minute : hour),
    revisions: {
      applied: wordAt(object, 'status', 'lastAppliedRevision'),
      attempted: wordAt(object, 'status', 'lastAttemptedRevision'),
      artifact: null,
      origin: null,
      incomparable: true,
    },
    exemptions: [...base.exemptions, ...list.found],
    inventory: fluxInventory(object),
    controller: 'flux-operator',
  };
}

/** By annotation; the defaults are the operator's own. */
function operatorCadence(object: unknown, interval: number): Cadence {
  const annotated = (key: string): number | null =>
    goDuration(nameAt(object, 'metadata', 'annotations', `${operatorGroup}/${key}`));
  return {
    interval: annotated('reconcileEvery') ?? interval,
    retryInterval: null,
    timeout: annotated('reconcileTimeout') ?? 5 * minute,
  };
}
