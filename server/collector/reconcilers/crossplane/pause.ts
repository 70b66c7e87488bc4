import type { Suspension } from '#lib/domain/observation/observation.ts';
import { at, listAt, textAt } from '#lib/foreign.ts';
import { setterOf } from '../managers.ts';

const paused = 'crossplane.io/paused';

/** Paused by annotation (exactly "true") or, for a managed resource, by managementPolicies []. */
export function crossplaneSuspension(object: unknown): Suspension | null {
  if (textAt(object, 'metadata', 'annotations', paused) === 'true') {
    return { field: `metadata.annotations[${paused}]`, ...setterOf(object, ['metadata', 'annotations', paused]) };
  }
  const policies = at(object, 'spec', 'managementPolicies');
  if (Array.isArray(policies) && policies.length === 0) {
    return { field: 'spec.managementPolicies', ...setterOf(object, ['spec', 'managementPolicies']) };
  }
  return null;
}

/** spec.managementPolicies; ["*"] where there are none. */
export function managementPolicies(object: unknown): readonly string[] {
  if (!Array.isArray(at(object, 'spec', 'managementPolicies'))) return ['*'];
  return listAt(object, 'spec', 'managementPolicies').filter((policy) => typeof policy === 'string');
}

/** True if the policies allow an action (Observe, Create, Update, Delete, LateInitialize). */
export function allows(policies: readonly string[], action: string): boolean {
  return policies.includes('*') || policies.includes(action);
}

/** True if the external resource is only looked at. */
export function isObserveOnly(policies: readonly string[]): boolean {
  return policies.length === 1 && policies[0] === 'Observe';
}
