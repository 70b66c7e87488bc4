import type { Observation } from '#lib/domain/observation/observation.ts';
import { at, booleanAt, isForeignObject, listAt, timeAt } from '#lib/foreign.ts';
import { reasonAt, unkeptTextAt, wordAt, wordsAt } from '#lib/foreign-words.ts';

/** The revisions of a comparison, a sync or a line of the history: one, or one for each of several sources. */
export function revisionsOf(value: unknown): readonly string[] {
  const several = wordsAt(value, 'revisions');
  if (several.length > 0) return several;
  const one = wordAt(value, 'revision');
  return one === null || one === '' ? [] : [one];
}

/** spec.syncPolicy.automated, where it is there and not switched off by enabled: false; else null. */
function automation(object: unknown): unknown {
  const automated = at(object, 'spec', 'syncPolicy', 'automated');
  return isForeignObject(automated) && booleanAt(automated, 'enabled') !== false ? automated : null;
}

/** True if Argo CD undoes drift by itself: automated, with selfHeal. */
export function selfHeals(object: unknown): boolean {
  return booleanAt(automation(object), 'selfHeal') === true;
}

/** True of a resource that differs from git. There may be many thousands: its word is compared as it is. */
export function isOutOfSync(resource: unknown): boolean {
  return unkeptTextAt(resource, 'status') === 'OutOfSync';
}

/** True if nothing of it differs but what git does not have any more, and automation is not allowed to prune. */
export function onlyLacksPruning(object: unknown): boolean {
  if (booleanAt(automation(object), 'prune') === true) return false;
  const differing = listAt(object, 'status', 'resources').filter(isOutOfSync);
  return differing.length > 0 && differing.every((one) => booleanAt(one, 'requiresPruning') === true);
}

/**
 * True if what was compared is going to be synced by itself: automated, and no sync of these revisions was tried yet. Without
 * selfHeal Argo CD syncs each revision once, and it never syncs where only pruning is left that it may not do
 * (controller/appcontroller.go autoSync, alreadyAttemptedSync).
 */
export function isAboutToSync(object: unknown): boolean {
  if (automation(object) === null || onlyLacksPruning(object)) return false;
  const compared = revisionsOf(at(object, 'status', 'sync'));
  const tried = revisionsOf(at(object, 'status', 'operationState', 'syncResult'));
  return compared.length > 0 && compared.join() !== tried.join();
}

/** status.sync.status; null before the first comparison, when Argo CD writes it empty. */
export function syncStatus(object: unknown): string | null {
  return reasonAt(object, 'status', 'sync', 'status') || null;
}

/** True if an operation was asked for that its controller has not begun: it begins by taking the state of the one before away. */
export function isOperationAsked(object: unknown): boolean {
  return isForeignObject(at(object, 'operation')) && reasonAt(object, 'status', 'operationState', 'phase') === null;
}

/**
 * True if a sync has ended well since the last comparison: what that found is no longer known to be so, and the next comparison
 * follows at once. `reconciledAt` does not tell for sure: it is a whole second, and stands still in a comparison that was prompted
 * by a change to a resource (controller/appcontroller.go processAppRefreshQueueItem, CompareWithRecent). The write `before` does:
 * where the operation had ended by then and a comparison was told, what this write says is newer than the sync.
 */
export function isToBeComparedAgain(object: unknown, before: Observation | null): boolean {
  if (reasonAt(object, 'status', 'operationState', 'phase') !== 'Succeeded') return false;
  const compared = timeAt(object, 'status', 'reconciledAt');
  const ended = timeAt(object, 'status', 'operationState', 'finishedAt');
  if (compared === null || ended === null || compared > ended) return false;
  return before === null || before.reconciling || before.drift.drift === 'not-measured';
}
