import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Cadence, Suspension } from '#lib/domain/observation/observation.ts';
import { booleanAt, listAt } from '#lib/foreign.ts';
import { wordAt } from '#lib/foreign-words.ts';
import { addRarePasses, exemptionList, reachOf } from '../exemption-list.ts';
import { addClusterInputs } from '../flux/exemptions.ts';
import { suspensionMeaning } from '../flux/shared-fields.ts';

/** Exemptions of a Terraform object, by its spec. */
export function terraformExemptions(
  object: unknown,
  suspended: Suspension | null,
  cadence: Cadence,
): readonly Exemption[] {
  const list = exemptionList(object, reachOf(listAt(object, 'status', 'inventory', 'entries')));
  const is = (field: string): boolean => booleanAt(object, 'spec', field) === true;
  list.addSuspension(suspended, suspensionMeaning);
  const approve = wordAt(object, 'spec', 'approvePlan');
  if (approve === 'disable')
    list.add('apply-restricted', ['spec', 'approvePlan'], 'drift is looked for, nothing is applied');
  else if (approve !== 'auto')
    list.add('apply-restricted', ['spec', 'approvePlan'], 'a plan waits until somebody approves it');
  if (is('planOnly')) list.add('apply-restricted', ['spec', 'planOnly'], 'nothing is applied');
  if (is('disableDriftDetection'))
    list.add(
      'drift-detection-disabled',
      ['spec', 'disableDriftDetection'],
      'changes made by hand are neither seen nor undone',
    );
  addRarePasses(list, cadence.interval, 'a change by hand may stand');
  if (is('destroyResourcesOnDeletion'))
    list.add('deletion-deletes', ['spec', 'destroyResourcesOnDeletion'], 'deleting this object destroys its resources');
  addClusterInputs(list, object, ['spec', 'varsFrom']);
  return list.found;
}
