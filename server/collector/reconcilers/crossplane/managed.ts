import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { listAt, textAt } from '#lib/foreign.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { goDuration } from '../go-duration.ts';
import { controllerOf } from '../references.ts';
import { editorOf } from './editor.ts';
import { syncedGeneration } from './generation.ts';
import { managedExemptions } from './exemptions.ts';
import { externalIdOf } from './external.ts';
import { managedDrift } from './managed-drift.ts';
import { managedSummary } from './managed-summary.ts';
import { crossplaneSuspension, managementPolicies } from './pause.ts';

/**
 * A managed resource of any provider (CRD category `managed`). Source: crossplane-runtime pkg/reconciler/managed.
 * In steady state it is never written, and neither is one that keeps failing with the same words: it shows no passes.
 */
export function observeManaged(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'crossplane', 'managed');
  const { list: conditions, odd } = readConditions(object);
  const suspended = crossplaneSuspension(object);
  const operation = conditionOf(conditions, 'AsyncOperation');
  return {
    ...base,
    specEditedBy: editorOf(object),
    observedGeneration: syncedGeneration(conditions, object),
    summary: odd === null ? managedSummary(conditions, suspended !== null) : unrecognised(odd),
    reconciling: suspended === null && operation?.status === 'False' && operation.reason === 'Ongoing',
    suspended,
    conditions,
    cadence: { interval: pollInterval(object), retryInterval: null, timeout: null },
    drift: managedDrift(conditions, managementPolicies(object), base.generation, suspended !== null),
    exemptions: [...base.exemptions, ...managedExemptions(object, suspended, base.ref)],
    externalId: externalIdOf(object, base.ref, suspended !== null),
    parent: controllerOf(listAt(object, 'metadata', 'ownerReferences'), context.cluster, base.ref.namespace),
    providerConfig: providerConfigOf(object, base.ref),
  };
}

/** Annotation crossplane.io/poll-interval (runtime 2.3); the provider's own --poll is not to be seen on the object. */
export function pollInterval(object: unknown): number | null {
  return goDuration(textAt(object, 'metadata', 'annotations', 'crossplane.io/poll-interval'));
}

/** Families of providers (upbound) keep their ProviderConfig in the group without the service: s3.aws.upbound.io -> aws.upbound.io. */
function providerConfigOf(object: unknown, own: ObjectRef): ObjectRef | null {
  const name = textAt(object, 'spec', 'providerConfigRef', 'name');
  if (name === null) return null;
  const labels = own.group.split('.');
  const group = labels.length >= 4 ? labels.slice(1).join('.') : own.group;
  const kind =
    textAt(object, 'spec', 'providerConfigRef', 'kind') ??
    (own.namespace === '' ? 'ProviderConfig' : 'ClusterProviderConfig');
  return { cluster: own.cluster, group, kind, namespace: kind === 'ClusterProviderConfig' ? '' : own.namespace, name };
}
