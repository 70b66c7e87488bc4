import type { Observation, Condition, DriftStatus } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { listAt } from '#lib/foreign.ts';
import { nameAt, unkeptTextAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { goDuration } from '../go-duration.ts';
import { controllerOf } from '../references.ts';
import { allows, crossplaneObservation, isObserveOnly, managementPolicies } from './shared-fields.ts';
import { managedExemptions } from './exemptions.ts';
import { managedSummary } from './managed-summary.ts';
import { hash } from 'node:crypto';

/**
 * A managed resource of any provider (CRD category `managed`). Source: crossplane-runtime pkg/reconciler/managed.
 * In steady state it is never written, and neither is one that keeps failing with the same words: it shows no passes.
 */
export function observeManaged(object: unknown, context: AdapterContext): Observation {
  const base = crossplaneObservation(object, context, 'managed', managedSummary);
  const { conditions, suspended } = base;
  const operation = conditionOf(conditions, 'AsyncOperation');
  return {
    ...base,
    reconciling: suspended === null && operation?.status === 'False' && operation.reason === 'Ongoing',
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
  return goDuration(nameAt(object, 'metadata', 'annotations', 'crossplane.io/poll-interval'));
}

/** Families of providers (upbound) keep their ProviderConfig in the group without the service: s3.aws.upbound.io -> aws.upbound.io. */
function providerConfigOf(object: unknown, own: ObjectRef): ObjectRef | null {
  const name = nameAt(object, 'spec', 'providerConfigRef', 'name');
  if (name === null) return null;
  const labels = own.group.split('.');
  const group = labels.length >= 4 ? labels.slice(1).join('.') : own.group;
  const kind =
    nameAt(object, 'spec', 'providerConfigRef', 'kind') ??
    (own.namespace === '' ? 'ProviderConfig' : 'ClusterProviderConfig');
  return { cluster: own.cluster, group, kind, namespace: kind === 'ClusterProviderConfig' ? '' : own.namespace, name };
}

/**
 * Which external resource a managed resource manages, as a number of 52 bits (docs/facts/crossplane.md). Two with one number
 * manage the same: of one kind whether or not its group is the namespaced one (".m."), and
 * - of one ARN, Azure or Google Cloud id where the provider has told it: across clusters as well
 * - else of one external name by one ProviderConfig in one region of one cluster: one of a namespace may be of another account than its namesake elsewhere
 *
 * Null for who manages none: paused, observed only, or not made yet. That is so, too, while its provider has found nothing by the name: whoever writes an
 * object may write any, and would be told that somebody else manages it. Names are digested: neither ids nor regions are kept.
 */
export function externalIdOf(object: unknown, own: ObjectRef, isPaused: boolean): number | null {
  const name = unkeptTextAt(object, 'metadata', 'annotations', 'crossplane.io/external-name');
  if (isPaused || isObserveOnly(managementPolicies(object))) return null;
  const kind = `${own.group.replace('.m.', '.')}/${own.kind}`;
  const worldwide = worldwideId(object);
  if (worldwide !== null) return digest([kind, worldwide]);
  if (name === null || name === '' || !isFound(object)) return null;
  const config = configName(providerConfigOf(object, own));
  const region =
    nameAt(object, 'spec', 'forProvider', 'region') ?? nameAt(object, 'spec', 'forProvider', 'location') ?? '';
  return digest([own.cluster, kind, name, config, region]);
}

/** The name of a ProviderConfig within its cluster: no slash is in a name. */
function configName(config: ObjectRef | null): string {
  if (config === null) return 'default';
  return config.namespace === '' ? config.name : `${config.namespace}/${config.name}`;
}

/** Ready: it is there; Synced: its provider has looked at it, and made it so. */
function isFound(object: unknown): boolean {
  const { list } = readConditions(object);
  return ['Ready', 'Synced'].some((type) => conditionOf(list, type)?.status === 'True');
}

/** An id that names one resource in the whole world; null where the provider has told none. */
function worldwideId(object: unknown): string | null {
  const arn = unkeptTextAt(object, 'status', 'atProvider', 'arn');
  if (arn?.startsWith('arn:')) return arn;
  const id = unkeptTextAt(object, 'status', 'atProvider', 'id');
  if (id?.toLowerCase().startsWith('/subscriptions/')) return id.toLowerCase();
  return id?.startsWith('projects/') ? id : null;
}

function digest(parts: readonly string[]): number {
  return Number.parseInt(hash('sha1', parts.join('\n')).slice(0, 13), 16);
}

function notMeasured(why: string): DriftStatus {
  return { drift: 'not-measured', why };
}

/**
 * Drift of a managed resource. UpToDate tells where it is there (crossplane apis v2.3: ObserveMatched, UpdateRestricted,
 * UpdateFailed, UpdateRequested, ReconcilePaused; the managed reconciler does not set it yet). Without it, one that may be updated
 * is made as declared at each poll, so Synced=True leaves no drift; one that may not reads Synced=True whatever it finds, and its
 * drift cannot be seen. Neither speaks of a spec that was edited since.
 */
function managedDrift(
  conditions: readonly Condition[],
  policies: readonly string[],
  generation: number,
  suspended: boolean,
): DriftStatus {
  const synced = conditionOf(conditions, 'Synced');
  if (suspended || synced?.reason === 'ReconcilePaused') return notMeasured('a paused resource is not compared');
  const upToDate = conditionOf(conditions, 'UpToDate');
  const compared = (upToDate ?? synced)?.observedGeneration ?? null;
  if (compared !== null && compared < generation) return notMeasured('it was last compared before the spec changed');
  if (upToDate !== null) return ofUpToDate(upToDate);
  if (!allows(policies, 'Update'))
    return notMeasured('spec.managementPolicies leave out Update, so drift is not reported');
  return synced?.status === 'True' ? { drift: 'none' } : notMeasured('its last look did not end well');
}

function ofUpToDate({ status, reason, message }: Condition): DriftStatus {
  if (status === 'True') return { drift: 'none' };
  if (status === 'Unknown') return notMeasured(message === '' ? 'it is not known whether it is up to date' : message);
  // Whether an update took is seen at the next poll only.
  if (reason === 'UpdateRequested') return notMeasured('an update was requested, and it has not been looked at since');
  return { drift: 'found', message, left: true };
}
