import { at, booleanAt, isForeignObject, listAt, textAt } from '#lib/foreign.ts';

/** The revisions of a comparison, a sync or a line of the history: one, or one for each of several sources. */
export function revisionsOf(value: unknown): readonly string[] {
  const several = listAt(value, 'revisions').filter((revision) => typeof revision === 'string');
  if (several.length > 0) return several;
  const one = textAt(value, 'revision');
  return one === null || one === '' ? [] : [one];
}

/** spec.syncPolicy.automated, where it is there and not switched off by enabled: false; else null. */
function automation(object: unknown): unknown {
  const automated = at(object, 'spec', 'syncPolicy', 'automated');
  return isForeignObject(automated) && booleanAt(automated, 'enabled') !== false ? automated : null;
}

/** Whether Argo CD undoes drift by itself: automated, with selfHeal. */
export function selfHeals(object: unknown): boolean {
  return booleanAt(automation(object), 'selfHeal') === true;
}

/**
 * Whether what was compared is going to be synced by itself: automated, and no sync of these revisions was tried yet. Without
 * selfHeal Argo CD syncs each revision once (controller/appcontroller.go autoSync, alreadyAttemptedSync).
 */
export function isAboutToSync(object: unknown): boolean {
  if (automation(object) === null) return false;
  const compared = revisionsOf(at(object, 'status', 'sync'));
  const tried = revisionsOf(at(object, 'status', 'operationState', 'syncResult'));
  return compared.length > 0 && compared.join() !== tried.join();
}
