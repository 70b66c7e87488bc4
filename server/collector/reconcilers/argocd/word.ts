import type { Condition, DriftWord, SettledWord, Word } from '#lib/domain/observation.ts';
import { redact } from '#lib/domain/redact.ts';
import { listAt, numberAt, textAt, timeAt } from '#lib/foreign.ts';
import { isAboutToSync, isToBeComparedAgain, onlyLacksPruning, selfHeals } from './sync.ts';

/** Conditions of an Application have a type and a message only; each that is there holds. */
export function applicationConditions(object: unknown): Condition[] {
  const found: Condition[] = [];
  for (const entry of listAt(object, 'status', 'conditions')) {
    const type = textAt(entry, 'type');
    if (type === null) continue;
    const message = redact(textAt(entry, 'message') ?? '');
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

/** The word of an Application: errors first, then its comparison, its operation, and the health of what it applied. */
export function applicationWord(object: unknown, conditions: readonly Condition[]): Word {
  const sync = textAt(object, 'status', 'sync', 'status');
  const health = textAt(object, 'status', 'health', 'status');
  if (sync === null && conditions.length === 0) return { said: 'nothing' };
  const blind = conditions.find((condition) => condition.type === 'ComparisonError');
  if (blind !== undefined) return bad('observe', blind.type, blind.message);
  const failed = conditions.find((condition) => failures.includes(condition.type));
  if (failed !== undefined) return bad('apply', failed.type, failed.message);
  const phase = textAt(object, 'status', 'operationState', 'phase');
  const message = redact(textAt(object, 'status', 'operationState', 'message') ?? '');
  // Between its attempts, and in those that follow, an operation that failed is said to run.
  if (phase === 'Running' && (numberAt(object, 'status', 'operationState', 'retryCount') ?? 0) > 0)
    return bad('apply', 'SyncFailed', failedSync(object) ?? message.replace(/ Retrying attempt #.*$/s, ''));
  if (phase === 'Running' || phase === 'Terminating') return { said: 'busy', reason: phase, message, before: null };
  if (sync === null || sync === 'Unknown') return bad('observe', 'Unknown', 'Argo CD could not compare it.');
  if (sync === 'OutOfSync' && (isAboutToSync(object) || isToBeComparedAgain(object)))
    return { said: 'busy', reason: 'OutOfSync', message: '', before: null };
  if (sync === 'OutOfSync' && (phase === 'Failed' || phase === 'Error')) return bad('apply', `Sync${phase}`, message);
  const healthMessage = redact(textAt(object, 'status', 'health', 'message') ?? '');
  if (health === 'Degraded' || health === 'Missing') return bad('health', health, healthMessage);
  if (health === 'Progressing') return { said: 'busy', reason: health, message: healthMessage, before: null };
  if (health === 'Unknown') return bad('observe', 'HealthUnknown', healthMessage);
  return { said: 'good', reason: sync, message: '' };
}

/** What the first resource that could not be synced says; null where none says why. */
function failedSync(object: unknown): string | null {
  const resources = listAt(object, 'status', 'operationState', 'syncResult', 'resources');
  const failed = resources.find((one) => textAt(one, 'status') === 'SyncFailed');
  const message = textAt(failed, 'message');
  return message === null ? null : redact(message);
}

function bad(fault: 'apply' | 'health' | 'observe', reason: string, message: string): SettledWord {
  return { said: 'bad', fault, reason, message, terminal: false };
}

/**
 * What is out of sync at a revision that was synced before: left in place without self-heal, and where only pruning would undo it that
 * is not allowed; with self-heal about to be undone.
 */
export function applicationDrift(object: unknown): DriftWord {
  switch (textAt(object, 'status', 'sync', 'status')) {
    case 'Synced':
      return { drift: 'none' };
    case 'OutOfSync':
      if (isAboutToSync(object)) return { drift: 'not-measured', why: 'a newer revision is about to be synced' };
      if (isToBeComparedAgain(object))
        return { drift: 'not-measured', why: 'it was synced, and has not been compared since' };
      return {
        drift: 'found',
        message: differing(object),
        left: !selfHeals(object) || onlyLacksPruning(object),
      };
    default:
      return { drift: 'not-measured', why: 'Argo CD could not compare it' };
  }
}

function differing(object: unknown): string {
  const names: string[] = [];
  for (const resource of listAt(object, 'status', 'resources')) {
    if (textAt(resource, 'status') === 'OutOfSync')
      names.push(`${textAt(resource, 'kind') ?? ''}/${textAt(resource, 'name') ?? ''}`);
  }
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return names.length === 0 ? 'It differs from git.' : `Out of sync: ${names.slice(0, 10).join(', ')}${more}`;
}
