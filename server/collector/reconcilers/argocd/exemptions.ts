import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Suspension } from '#lib/domain/observation/observation.ts';
import { at, booleanAt, firstAt, isForeignObject, listAt } from '#lib/foreign.ts';
import { mostReferences, wordAt } from '#lib/foreign-words.ts';
import { exemptionList, reachOf, type ExemptionList } from '../exemption-list.ts';
import { isExactVersion } from '../flux/source-target.ts';
import { suspensionMeaning } from '../flux/shared-fields.ts';
import { selfHeals } from './sync.ts';

/** Exemptions of an Application's objects, by its spec. */
export function applicationExemptions(
  object: unknown,
  suspended: Suspension | null,
  remote: boolean,
): readonly Exemption[] {
  const list = exemptionList(object, reachOf(listAt(object, 'status', 'resources')));
  list.addSuspension(suspended, suspensionMeaning);
  addSyncPolicy(list, object);
  const ignored = ['spec', 'ignoreDifferences'];
  for (const [index] of firstAt(mostReferences, object, ...ignored).entries())
    list.add('drift-ignored', ignored, 'drift in some fields is ignored', `spec.ignoreDifferences[${index}]`);
  const source = at(object, 'spec', 'source');
  if (isForeignObject(source)) addSource(list, source, ['spec', 'source'], 'spec.source');
  for (const [index, one] of firstAt(mostReferences, object, 'spec', 'sources').entries())
    addSource(list, one, ['spec', 'sources'], `spec.sources[${index}]`);
  if (remote) list.add('remote-cluster', ['spec', 'destination'], 'its objects live on another cluster');
  return list.found;
}

function addSyncPolicy(list: ExemptionList, object: unknown): void {
  const path = ['spec', 'syncPolicy', 'automated'];
  const automated = at(object, ...path);
  if (!isForeignObject(automated) || booleanAt(automated, 'enabled') === false) {
    list.add('apply-restricted', path, 'changes in git arrive only when somebody syncs');
    list.add('drift-not-undone', path, 'drift is shown, not undone');
  } else {
    if (!selfHeals(object)) list.add('drift-not-undone', [...path, 'selfHeal'], 'drift is shown, not undone');
    if (booleanAt(automated, 'prune') !== true)
      list.add('prune-disabled', [...path, 'prune'], 'what is removed from git stays');
  }
  const options = ['spec', 'syncPolicy', 'syncOptions'];
  for (const option of firstAt(mostReferences, object, ...options))
    if (option === 'Force=true' || option === 'Replace=true')
      list.add(
        'recreates',
        options,
        'what cannot be changed is deleted and made anew',
        `${options.join('.')} ${option}`,
      );
}

/** Argo CD resolves targetRevision as a commit, a branch, a tag or a range; only a whole commit and a chart's exact version stay. */
function addSource(list: ExemptionList, source: unknown, path: readonly string[], name: string): void {
  const revision = wordAt(source, 'targetRevision') ?? '';
  const field = `${name}.targetRevision`;
  const owned = [...path, 'targetRevision'];
  if ((wordAt(source, 'chart') ?? '') !== '') {
    list.add('rendered-on-cluster', path, 'its chart is rendered for the cluster it goes to', `${name}.chart`);
    if (!isExactVersion(revision))
      list.add('floating-reference', owned, `version ${revision || '*'} may name another chart tomorrow`, field);
  } else if (!/^[0-9a-f]{40}$/.test(revision))
    list.add('branch-reference', owned, `whoever moves ${revision || 'HEAD'} says what runs`, field);
}
