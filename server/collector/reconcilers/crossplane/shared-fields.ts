// Fields that the kinds of Crossplane share: what pauses them, what they may do, and who edits them.
import type { Condition, Observation, Role, StatusSummary, Suspension } from '#lib/domain/observation/observation.ts';
import { numberAt, at } from '#lib/foreign.ts';
import { nameAt, namesAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { specEditor, statusWriters, setterOf } from '../managers.ts';

/** Observation of an object of Crossplane by what all of its kinds tell alike; `summaryOf` reads its conditions. */
export function crossplaneObservation(
  object: unknown,
  context: AdapterContext,
  role: Role,
  summaryOf: (conditions: readonly Condition[], isPaused: boolean) => StatusSummary,
): Observation {
  const { list: conditions, odd } = readConditions(object);
  const suspended = crossplaneSuspension(object);
  const summary = odd === null ? summaryOf(conditions, suspended !== null) : unrecognised(odd);
  const observedGeneration = syncedGeneration(conditions, object);
  const base = envelope(object, context, 'crossplane', role);
  return { ...base, specEditedBy: editorOf(object), observedGeneration, summary, suspended, conditions };
}

/** The generation that the last pass looked at: Synced's own, Ready's where it has none (runtime 1.19 has neither), the status'. */
function syncedGeneration(conditions: readonly Condition[], object: unknown): number | null {
  const own =
    conditionOf(conditions, 'Synced')?.observedGeneration ?? conditionOf(conditions, 'Ready')?.observedGeneration;
  return own ?? numberAt(object, 'status', 'observedGeneration');
}

/** crossplane-runtime pkg/reconciler/managed api.go: it writes references that it has resolved under a name of its own. */
const resolver = 'managed.crossplane.io/api-simple-reference-resolver';

/**
 * Who last edited the spec beside Crossplane's own controllers, which write into it too: late initialisation and resolved
 * references of a managed resource, resourceRefs of a composite, the activation of a revision. They are told by that they write
 * the status as well. Null where nobody else has, or managedFields do not tell.
 */
export function editorOf(object: unknown): Observation['specEditedBy'] {
  const own = statusWriters(object);
  return specEditor(object, (manager) => manager === resolver || own.has(manager));
}

const paused = 'crossplane.io/paused';

/** Paused by annotation (exactly "true") or, for a managed resource, by managementPolicies []. */
function crossplaneSuspension(object: unknown): Suspension | null {
  if (nameAt(object, 'metadata', 'annotations', paused) === 'true')
    return { field: `metadata.annotations[${paused}]`, ...setterOf(object, ['metadata', 'annotations', paused]) };
  const policies = at(object, 'spec', 'managementPolicies');
  if (Array.isArray(policies) && policies.length === 0)
    return { field: 'spec.managementPolicies', ...setterOf(object, ['spec', 'managementPolicies']) };
  return null;
}

/** spec.managementPolicies; ["*"] where there are none. */
export function managementPolicies(object: unknown): readonly string[] {
  if (!Array.isArray(at(object, 'spec', 'managementPolicies'))) return ['*'];
  return namesAt(object, 'spec', 'managementPolicies');
}

/** True if the policies allow an action (Observe, Create, Update, Delete, LateInitialize). */
export function allows(policies: readonly string[], action: string): boolean {
  return policies.includes('*') || policies.includes(action);
}

/** True if the external resource is only looked at. */
export function isObserveOnly(policies: readonly string[]): boolean {
  return policies.length === 1 && policies[0] === 'Observe';
}
