import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import { booleanAt, listAt } from '#lib/foreign.ts';
import { wordAt } from '#lib/foreign-words.ts';
import { addRarePasses, exemptionList } from '../exemption-list.ts';
import { resyncOf } from './drift.ts';

/** Exemptions of what a Stack makes, by its spec. It has nothing that switches it off. */
export function stackExemptions(object: unknown): readonly Exemption[] {
  const list = exemptionList(object, null);
  const is = (field: string): boolean => booleanAt(object, 'spec', field) === true;
  const resync = resyncOf(object);
  if (resync === null || !is('refresh')) {
    const field = resync === null ? 'continueResyncOnCommitMatch' : 'refresh';
    list.add('drift-detection-disabled', ['spec', field], 'changes made by hand are neither seen nor undone');
  }
  addRarePasses(list, resync, 'a change by hand may stand', ['spec', 'resyncFrequencySeconds']);
  if (listAt(object, 'spec', 'targets').length > 0)
    list.add('apply-restricted', ['spec', 'targets'], 'only the resources that it names are updated');
  if (is('destroyOnFinalize'))
    list.add('deletion-deletes', ['spec', 'destroyOnFinalize'], 'deleting this object destroys its resources');
  const branch = wordAt(object, 'spec', 'branch') ?? '';
  if (branch !== '') list.add('branch-reference', ['spec', 'branch'], `whoever moves ${branch} says what runs`);
  list.addFilled(
    'external-substitution',
    [['envRefs'], ['secretsRef'], ['envs'], ['envSecrets']],
    'inputs come from the cluster, not from git',
  );
  return list.found;
}
