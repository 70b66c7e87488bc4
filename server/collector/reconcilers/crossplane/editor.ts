import type { Observation } from '#lib/domain/observation/observation.ts';
import { specEditor, statusWriters } from '../managers.ts';

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
