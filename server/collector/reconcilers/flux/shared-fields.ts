// Fields that several kinds of Flux and its family share, read alike.
import type {
  Cadence,
  Condition,
  Observation,
  Reconciler,
  Role,
  StatusSummary,
  Suspension,
} from '#lib/domain/observation/observation.ts';
import type { AdapterContext } from '../adapter.ts';
import { numberAt, booleanAt, firstAt, listAt } from '#lib/foreign.ts';
import { idAt, mostReferences, nameAt } from '#lib/foreign-words.ts';
import { goDuration } from '../go-duration.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { setterOf } from '../managers.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { groupOf } from '../references.ts';

/** Observation of an object of Flux's family by what all of its kinds tell alike; `summaryOf` reads its conditions. */
export function fluxObservation(
  object: unknown,
  context: AdapterContext,
  [reconciler, role]: readonly [Reconciler, Role],
  suspended: Suspension | null,
  summaryOf: (conditions: readonly Condition[]) => StatusSummary,
): Observation {
  const base = envelope(object, context, reconciler, role);
  const { list: conditions, odd } = readConditions(object);
  return {
    ...base,
    suspended,
    conditions,
    observedGeneration: generationOf(conditionOf(conditions, 'Ready'), object),
    summary: odd === null ? summaryOf(conditions) : unrecognised(odd),
    reconciling: suspended === null && passUnderWay(conditions),
    cadence: fluxCadence(object),
  };
}

/** interval, retryInterval and timeout of a Flux spec, in ms. */
export function fluxCadence(object: unknown): Cadence {
  return {
    interval: goDuration(nameAt(object, 'spec', 'interval')),
    retryInterval: goDuration(nameAt(object, 'spec', 'retryInterval')),
    timeout: goDuration(nameAt(object, 'spec', 'timeout')),
  };
}

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

/** spec.suspend, with who set it. */
export function fluxSuspension(object: unknown): Suspension | null {
  return booleanAt(object, 'spec', 'suspend') === true
    ? { field: 'spec.suspend', ...setterOf(object, ['spec', 'suspend']) }
    : null;
}

/** Kinds without spec.suspend are switched off by the annotation `<group>/reconcile: disabled`. */
export function annotationSuspension(object: unknown, group: string): Suspension | null {
  const key = `${group}/reconcile`;
  if (nameAt(object, 'metadata', 'annotations', key)?.toLowerCase() !== 'disabled') return null;
  return { field: `metadata.annotations[${key}]`, ...setterOf(object, ['metadata', 'annotations', key]) };
}

/** Meaning of a suspension, by spec.suspend or by annotation. */
export const suspensionMeaning = 'changes in git do not arrive, drift is not undone';

/** The ids of status.inventory, of whatever cluster its objects live on. */
export function fluxInventory(object: unknown): string[] {
  return listAt(object, 'status', 'inventory', 'entries').flatMap((entry) => idAt(entry, 'id') ?? []);
}

export const sourceGroup = 'source.toolkit.fluxcd.io';

/** A `{kind, name, namespace}` that names a source; its group is Flux's own unless an apiVersion says otherwise. */
export function sourceReference(value: unknown, own: ObjectRef): ObjectRef | null {
  const kind = nameAt(value, 'kind');
  const name = nameAt(value, 'name');
  if (kind === null || name === null) return null;
  const apiVersion = nameAt(value, 'apiVersion');
  const group = apiVersion === null || apiVersion === '' ? sourceGroup : groupOf(apiVersion);
  return { cluster: own.cluster, group, kind, namespace: nameAt(value, 'namespace') ?? own.namespace, name };
}

/** spec.dependsOn: objects of the same kind, in the same namespace unless one is named. */
export function dependencies(object: unknown, own: ObjectRef): ObjectRef[] {
  return firstAt(mostReferences, object, 'spec', 'dependsOn').flatMap((entry) => {
    const name = nameAt(entry, 'name');
    return name === null ? [] : { ...own, namespace: nameAt(entry, 'namespace') ?? own.namespace, name };
  });
}

/** "clusters/production/x" for "./clusters/production/x/"; '' for the root of a source. */
export function cleanPath(path: string | null): string {
  let clean = path ?? '';
  while (clean.startsWith('./') || clean.startsWith('/')) clean = clean.slice(clean.indexOf('/') + 1);
  while (clean.endsWith('/')) clean = clean.slice(0, -1);
  return clean === '.' ? '' : clean;
}
