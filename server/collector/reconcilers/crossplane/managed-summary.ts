import type { Condition, Fault, SettledSummary, StatusSummary } from '#lib/domain/observation/observation.ts';
import { conditionOf } from '../conditions.ts';
import { bad, busy, good } from '../summaries.ts';

const blind = ['connect failed:', 'observe failed:'];
/** An Observe-only resource that is not there: it was seen, and what was seen is the fault. */
const notThere = 'observe failed: external resource does not exist';
/** Never retried by itself, unless the name is deterministic. */
const incomplete = 'cannot determine creation result';

/** The status summary of a managed resource (docs/facts/crossplane.md). */
export function managedSummary(conditions: readonly Condition[], isPaused: boolean): StatusSummary {
  const synced = conditionOf(conditions, 'Synced');
  const ready = conditionOf(conditions, 'Ready');
  if (synced === null && ready === null) return conditions.length === 0 ? { said: 'nothing' } : busy(null);
  if (synced === null || synced.status === 'Unknown') return busy(synced ?? ready);
  if (synced.reason === 'ReconcilePaused') return pausedSummary(synced, ready, isPaused);
  if (synced.status === 'False') return bad(syncFault(synced.message), synced, synced.message.startsWith(incomplete));
  return asyncFailure(conditions) ?? readySummary(ready);
}

/** Paused, Ready keeps its value from before; resumed but not yet looked at, it is only what was said before. */
function pausedSummary(synced: Condition, ready: Condition | null, isPaused: boolean): StatusSummary {
  if (ready === null) return isPaused ? { said: 'nothing' } : busy(synced);
  const beneath = readySummary(ready);
  if (isPaused) return beneath;
  return busy(synced, beneath.said === 'good' || beneath.said === 'bad' ? beneath : null);
}

function readySummary(ready: Condition | null): StatusSummary {
  if (ready === null || ready.status === 'Unknown') return busy(ready);
  if (ready.status === 'True') return good(ready);
  return ready.reason === 'Creating' || ready.reason === 'Deleting' ? busy(ready) : bad('health', ready);
}

/** Fault that Synced=False means by its message: blind to the external resource, or unable to make it so. */
function syncFault(message: string): Fault {
  if (message.startsWith(notThere)) return 'apply';
  return blind.some((prefix) => message.startsWith(prefix)) ? 'observe' : 'apply';
}

/** upjet: an asynchronous operation that failed may stand beside Synced=True. AsyncOperation=False means "ongoing" and is none. */
function asyncFailure(conditions: readonly Condition[]): SettledSummary | null {
  const last = conditionOf(conditions, 'LastAsyncOperation');
  const failed = last?.status === 'False' ? last : updateFailure(conditions);
  return failed && bad('apply', failed);
}

function updateFailure(conditions: readonly Condition[]): Condition | null {
  const upToDate = conditionOf(conditions, 'UpToDate');
  return upToDate?.status === 'False' && upToDate.reason === 'UpdateFailed' ? upToDate : null;
}
