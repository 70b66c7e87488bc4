import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Suspension } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { at } from '#lib/foreign.ts';
import { nameAt, wordAt } from '#lib/foreign-words.ts';
import { exemptionList, isFilled, reachOf } from '../exemption-list.ts';
import { allows, isObserveOnly, managementPolicies } from './shared-fields.ts';
import { isStateful } from './stateful.ts';

const actions = ['Create', 'Update', 'Delete', 'LateInitialize'];
const stays = 'the external resource stays when this object is deleted';

/** Meaning of a pause for a managed resource. */
const paused = 'the external resource is neither watched nor changed';

/** Exemptions of a managed resource (docs/exemptions.md). */
export function managedExemptions(object: unknown, suspended: Suspension | null, own: ObjectRef): readonly Exemption[] {
  const list = exemptionList(object, null);
  const policies = managementPolicies(object);
  const path = ['spec', 'managementPolicies'];
  list.addSuspension(suspended, paused);
  if (isFilled(at(object, 'spec', 'initProvider')))
    list.add('drift-ignored', ['spec', 'initProvider'], 'some fields count when it is made, and never after');
  if (policies.length === 0) return list.found;
  if (isObserveOnly(policies)) {
    list.add('observe-only', path, 'the external resource is only looked at; its drift is not reported');
    return list.found;
  }
  const denied = actions.filter((action) => !allows(policies, action));
  const restricting = denied.filter((action) => action !== 'Delete');
  if (restricting.length > 0) list.add('management-restricted', path, `Crossplane may not ${restricting.join(', ')}`);
  const deletion = ['spec', 'deletionPolicy'];
  const declared = nameAt(object, ...deletion);
  if (declared === 'Orphan') list.add('deletion-orphans', deletion, stays);
  else if (denied.includes('Delete')) list.add('deletion-orphans', path, stays);
  else if (isStateful(own))
    list.add('deletion-deletes', declared === null ? path : deletion, 'deleting this object deletes its data');
  return list.found;
}

/** Exemptions of a composite or a claim; `composed`: what it is made of. */
export function compositeExemptions(
  object: unknown,
  suspended: Suspension | null,
  composed: readonly ObjectRef[],
): readonly Exemption[] {
  const list = exemptionList(object, reachOf(composed));
  list.addSuspension(suspended, 'changes do not reach what it is composed of');
  for (const path of [
    ['spec', 'compositionUpdatePolicy'],
    ['spec', 'crossplane', 'compositionUpdatePolicy'],
  ])
    if (nameAt(object, ...path) === 'Manual')
      list.add('apply-restricted', path, 'a new revision of its Composition waits until somebody selects it');
  return list.found;
}

/** Exemptions of a package or a revision of one. */
export function packageExemptions(object: unknown, suspended: Suspension | null): readonly Exemption[] {
  const list = exemptionList(object, null);
  const image = wordAt(object, 'spec', 'package');
  list.addSuspension(suspended, 'neither installed anew nor removed');
  if (nameAt(object, 'spec', 'revisionActivationPolicy') === 'Manual') {
    const meaning = 'a new revision waits until somebody activates it';
    list.add('apply-restricted', ['spec', 'revisionActivationPolicy'], meaning);
  }
  if (image !== null && !image.includes('@sha256:'))
    list.add('floating-reference', ['spec', 'package'], 'a tag may name other content tomorrow');
  return list.found;
}
