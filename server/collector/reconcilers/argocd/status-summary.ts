import type { Condition, DriftStatus, Observation, StatusSummary } from '#lib/domain/observation/observation.ts';
import { redact } from '#lib/domain/observation/redact.ts';
import { listAt, numberAt, timeAt } from '#lib/foreign.ts';
import { messageAt, reasonAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { tellingConditions } from '../conditions.ts';
import { unrecognised } from '../envelope.ts';
import { bad, busy, good } from '../summaries.ts';
import { namesOf, resourcesInHealing, undoneBySelfHeal } from './self-heal.ts';
import {
  isAboutToSync,
  isOperationAsked,
  isOutOfSync,
  isToBeComparedAgain,
  onlyLacksPruning,
  selfHeals,
  syncStatus,
} from './sync.ts';

/** Conditions of an Application have a type and a message only; each that is there holds. */
export function applicationConditions(object: unknown): Condition[] {
  const found: Condition[] = [];
  for (const entry of tellingConditions(object)) {
    const type = reasonAt(entry, 'type');
    if (type === null) continue;
    const message = messageAt(entry, 'message') ?? '';
    found.push({
      type,
      status: 'True',
      reason: type,
      message,
      lastTransitionTime: timeAt(entry, 'lastTransitionTime'),
      observedGeneration: null,
    });
  }
  return found;
}

const failures = ['InvalidSpecError', 'SyncError', 'DeletionError', 'UnknownError'];

/** The status summary of an Application: errors first, then its comparison, its operation, and the health of what it applied. */
export function applicationSummary(
  object: unknown,
  conditions: readonly Condition[],
  before: Observation | null,
): StatusSummary {
  const sync = syncStatus(object);
  const blind = conditions.find((condition) => condition.type === 'ComparisonError');
  if (blind !== undefined) return bad('observe', blind);
  const failed = conditions.find((condition) => failures.includes(condition.type));
  if (failed !== undefined) return bad('apply', failed);
  const phase = reasonAt(object, 'status', 'operationState', 'phase');
  const message = messageAt(object, 'status', 'operationState', 'message') ?? '';
  // Between its attempts, and in those that follow, an operation that failed is said to run.
  if (phase === 'Running' && (numberAt(object, 'status', 'operationState', 'retryCount') ?? 0) > 0)
    return bad('apply', {
      reason: 'SyncFailed',
      message: failedSync(object) ?? message.replace(/ Retrying attempt #.*$/s, ''),
    });
  if (phase === 'Running' || phase === 'Terminating') return busy({ reason: phase, message });
  if (isOperationAsked(object)) return busy({ reason: 'OperationRequested', message: '' });
  switch (sync) {
    case null:
      return { said: 'nothing' };
    case 'Unknown':
      return bad('observe', { reason: 'Unknown', message: 'Argo CD could not compare it.' });
    case 'OutOfSync':
      if (isAboutToSync(object) || isToBeComparedAgain(object, before))
        return busy({ reason: 'OutOfSync', message: '' });
      return phase === 'Failed' || phase === 'Error'
        ? bad('apply', { reason: `Sync${phase}`, message })
        : healthSummary(object, sync);
    case 'Synced':
      return healthSummary(object, sync);
    default:
      return unrecognised(`status.sync.status is ${redact(sync, 64)}`);
  }
}

/** Summary of the health of what it applied, where nothing else is to be said; `sync` is how it compares. */
function healthSummary(object: unknown, sync: string): StatusSummary {
  const health = reasonAt(object, 'status', 'health', 'status');
  const message = messageAt(object, 'status', 'health', 'message') ?? '';
  if (health === 'Degraded' || health === 'Missing') return bad('health', { reason: health, message });
  if (health === 'Progressing') return busy({ reason: health, message });
  if (health === 'Unknown') return bad('observe', { reason: 'HealthUnknown', message });
  return good({ reason: sync, message: '' });
}

/** Message of the first resource that could not be synced; null where none says why. */
function failedSync(object: unknown): string | null {
  const resources = listAt(object, 'status', 'operationState', 'syncResult', 'resources');
  const failed = resources.find((one) => unkeptTextAt(one, 'status') === 'SyncFailed');
  return messageAt(failed, 'message');
}

/**
 * Drift: out of sync at a revision that was synced before. Left in place without self-heal, and where only pruning would undo it that
 * is not allowed; with self-heal about to be undone.
 */
export function applicationDrift(object: unknown, before: Observation | null): DriftStatus {
  const healing = resourcesInHealing(object);
  if (healing !== null) return { drift: 'found', message: differing(healing), left: false };
  switch (syncStatus(object)) {
    case 'Synced': {
      const undone = undoneBySelfHeal(object);
      return undone === null ? { drift: 'none' } : { drift: 'none', undone };
    }
    case 'OutOfSync':
      if (isAboutToSync(object)) return { drift: 'not-measured', why: 'a newer revision is about to be synced' };
      if (isToBeComparedAgain(object, before))
        return { drift: 'not-measured', why: 'it was synced, and has not been compared since' };
      return {
        drift: 'found',
        message: differing(listAt(object, 'status', 'resources').filter(isOutOfSync)),
        left: !selfHeals(object) || onlyLacksPruning(object),
      };
    default:
      return { drift: 'not-measured', why: 'Argo CD could not compare it' };
  }
}

function differing(resources: readonly unknown[]): string {
  return resources.length === 0 ? 'It differs from git.' : `Out of sync: ${namesOf(resources)}`;
}
