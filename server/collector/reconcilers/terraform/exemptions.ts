import type { Exemption } from '#lib/domain/exemption.ts';
import { booleanAt, listAt, textAt } from '#lib/foreign.ts';
import { clusterInputs } from '../flux/kustomization-exemptions.ts';
import { exemption } from '../opt-outs.ts';

/** What weakens the guarantee for a Terraform object, by its spec. Suspension is not among it. */
export function terraformExemptions(object: unknown): Exemption[] {
  const found: Exemption[] = [];
  if (booleanAt(object, 'spec', 'disableDriftDetection') === true) {
    const path = ['spec', 'disableDriftDetection'];
    found.push(
      exemption(
        object,
        'drift-detection-disabled',
        path,
        path.join('.'),
        'changes made by hand are neither seen nor undone',
      ),
    );
  }
  const approve = textAt(object, 'spec', 'approvePlan');
  const path = ['spec', 'approvePlan'];
  if (approve === 'disable')
    found.push(exemption(object, 'apply-restricted', path, path.join('.'), 'drift is looked for, nothing is applied'));
  else if (approve !== 'auto')
    found.push(exemption(object, 'apply-restricted', path, path.join('.'), 'a plan waits until somebody approves it'));
  if (booleanAt(object, 'spec', 'planOnly') === true) {
    found.push(exemption(object, 'apply-restricted', ['spec', 'planOnly'], 'spec.planOnly', 'nothing is applied'));
  }
  if (booleanAt(object, 'spec', 'destroyResourcesOnDeletion') === true) {
    const field = ['spec', 'destroyResourcesOnDeletion'];
    found.push(
      exemption(object, 'deletion-deletes', field, field.join('.'), 'deleting this object destroys its resources'),
    );
  }
  found.push(...clusterInputs(object, 'spec.varsFrom', ['spec', 'varsFrom'], listAt(object, 'spec', 'varsFrom')));
  return found;
}
