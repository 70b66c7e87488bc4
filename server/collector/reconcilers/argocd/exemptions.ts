import type { Exemption } from '#lib/domain/exemption.ts';
import { at, booleanAt, isForeignObject, listAt } from '#lib/foreign.ts';
import { exemption } from '../opt-outs.ts';
import { selfHeals } from './word.ts';

/** What weakens the guarantee for an Application's objects, by its spec. Suspension is not among it. */
export function applicationExemptions(object: unknown, remote: boolean): Exemption[] {
  const found: Exemption[] = [];
  const automated = at(object, 'spec', 'syncPolicy', 'automated');
  const path = ['spec', 'syncPolicy', 'automated'];
  if (!isForeignObject(automated) || booleanAt(automated, 'enabled') === false) {
    found.push(
      exemption(object, 'apply-restricted', path, path.join('.'), 'changes in git arrive only when somebody syncs'),
    );
  } else {
    if (!selfHeals(object)) {
      const field = [...path, 'selfHeal'];
      found.push(exemption(object, 'apply-restricted', field, field.join('.'), 'drift is shown, not undone'));
    }
    if (booleanAt(automated, 'prune') !== true) {
      const field = [...path, 'prune'];
      found.push(exemption(object, 'prune-disabled', field, field.join('.'), 'what is removed from git stays'));
    }
  }
  const ignored = ['spec', 'ignoreDifferences'];
  for (const [index] of listAt(object, ...ignored).entries()) {
    found.push(
      exemption(
        object,
        'drift-ignored',
        ignored,
        `spec.ignoreDifferences[${index}]`,
        'drift in some fields is ignored',
      ),
    );
  }
  if (remote)
    found.push(
      exemption(
        object,
        'remote-cluster',
        ['spec', 'destination'],
        'spec.destination',
        'its objects live on another cluster',
      ),
    );
  return found;
}
