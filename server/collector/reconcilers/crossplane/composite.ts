import type { Condition, DriftStatus, Observation, StatusSummary } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { at, firstAt, isForeignObject, listAt } from '#lib/foreign.ts';
import { mostParts, nameAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf } from '../conditions.ts';
import { controllerOf, groupOf } from '../references.ts';
import { crossplaneObservation } from './shared-fields.ts';
import { pollInterval } from './managed.ts';
import { managedSummary } from './managed-summary.ts';
import { compositeExemptions } from './exemptions.ts';
import { bad, busy } from '../summaries.ts';

/** The core controller, which composes; its lease is crossplane-leader-election-core. */
export const core = 'crossplane';

/**
 * A composite resource (CRD category `composite`) of either API: v2 keeps its machinery in spec.crossplane, v1 in spec.
 * Its Synced=True says nothing of its children's (docs/facts/crossplane.md): they are named in `children`.
 */
export function observeComposite(object: unknown, context: AdapterContext): Observation {
  const base = crossplaneObservation(object, context, 'composite', compositeSummary);
  const { conditions, suspended } = base;
  const children = childrenOf(object, base.ref);
  const owner = controllerOf(listAt(object, 'metadata', 'ownerReferences'), context.cluster, base.ref.namespace);
  return {
    ...base,
    cadence: { interval: pollInterval(object), retryInterval: null, timeout: null },
    drift: composedDrift(conditions),
    exemptions: [...base.exemptions, ...compositeExemptions(object, suspended, children)],
    parent: referenceAt(at(object, 'spec', 'claimRef'), context.cluster, '') ?? owner,
    children,
    controller: core,
  };
}

/** A watch circuit that is open makes the loop blind for a while; everything else is said by Synced and Ready. */
function compositeSummary(conditions: readonly Condition[], isPaused: boolean): StatusSummary {
  const summary = managedSummary(conditions, isPaused);
  const responsive = conditionOf(conditions, 'Responsive');
  if (responsive?.status !== 'False' || summary.said === 'bad') return summary;
  return bad('observe', responsive);
}

/** Composed objects are applied again at each pass: Synced=True leaves no difference in what is declared for them. */
function composedDrift(conditions: readonly Condition[]): DriftStatus {
  if (conditionOf(conditions, 'Synced')?.status === 'True') return { drift: 'none' };
  return { drift: 'not-measured', why: 'its last pass did not end well' };
}

/** A namespaced composite's references leave their namespace out: it is its own. */
function childrenOf(object: unknown, own: ObjectRef): ObjectRef[] {
  const machinery = at(object, 'spec', 'crossplane');
  const refs = isForeignObject(machinery)
    ? firstAt(mostParts, machinery, 'resourceRefs')
    : firstAt(mostParts, object, 'spec', 'resourceRefs');
  return refs.map((ref) => referenceAt(ref, own.cluster, own.namespace)).filter((ref) => ref !== null);
}

/** A typed reference {apiVersion, kind, namespace, name}; null where it names nothing yet. */
function referenceAt(value: unknown, cluster: string, namespace: string): ObjectRef | null {
  const kind = nameAt(value, 'kind');
  const name = nameAt(value, 'name');
  if (kind === null || name === null || name === '') return null;
  return {
    cluster,
    group: groupOf(nameAt(value, 'apiVersion')),
    kind,
    namespace: nameAt(value, 'namespace') ?? namespace,
    name,
  };
}

/** A claim (CRD category `claim`); its composite is cluster-scoped and stands in spec.resourceRef. */
export function observeClaim(object: unknown, context: AdapterContext): Observation {
  const base = crossplaneObservation(object, context, 'claim', claimSummary);
  const { conditions, suspended } = base;
  const composite = referenceAt(at(object, 'spec', 'resourceRef'), context.cluster, '');
  return {
    ...base,
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
  return busy(summary);
}
