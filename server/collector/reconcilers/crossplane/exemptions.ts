import type { Exemption } from '#lib/domain/exemption.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { textAt } from '#lib/foreign.ts';
import { exemption } from '../opt-outs.ts';
import { allows, managementPolicies } from './pause.ts';
import { isStateful } from './stateful.ts';

const actions = ['Create', 'Update', 'Delete', 'LateInitialize'];

/** What weakens the guarantee for a managed resource (facts/crossplane.md). A pause is not among it. */
export function managedExemptions(object: unknown, own: ObjectRef): Exemption[] {
  const policies = managementPolicies(object);
  const path = ['spec', 'managementPolicies'];
  const field = 'spec.managementPolicies';
  const found: Exemption[] = [];
  if (policies.length === 0) return found;
  const denied = actions.filter((action) => !allows(policies, action));
  if (policies.length === 1 && policies[0] === 'Observe') {
    found.push(
      exemption(
        object,
        'observe-only',
        path,
        field,
        'the external resource is only looked at; its drift is not reported',
      ),
    );
    return found;
  }
  const restricting = denied.filter((action) => action !== 'Delete');
  if (restricting.length > 0) {
    found.push(exemption(object, 'management-restricted', path, field, `Crossplane may not ${restricting.join(', ')}`));
  }
  const keeps = textAt(object, 'spec', 'deletionPolicy') === 'Orphan';
  if (keeps || denied.includes('Delete')) {
    const place = keeps ? ['spec', 'deletionPolicy'] : path;
    found.push(
      exemption(
        object,
        'deletion-orphans',
        place,
        place.join('.'),
        'the external resource stays when this object is deleted',
      ),
    );
  } else if (isStateful(own)) {
    const place = textAt(object, 'spec', 'deletionPolicy') === null ? path : ['spec', 'deletionPolicy'];
    found.push(exemption(object, 'deletion-deletes', place, place.join('.'), 'deleting this object deletes its data'));
  }
  return found;
}
