import type { Condition } from '#lib/domain/observation/observation.ts';
import { at, listAt, numberAt, timeAt } from '#lib/foreign.ts';
import { messageAt, mostTold, reasonAt } from '#lib/foreign-words.ts';

/** The conditions of an object; `odd` says what was wrong with them, null where nothing was. */
export interface ReadConditions {
  readonly list: readonly Condition[];
  readonly odd: string | null;
}

/** Types by which adapters judge: however many conditions an object has, the first one of each of these is read. */
const judgedBy: ReadonlySet<string> = new Set([
  ...['Ready', 'Stalled', 'Reconciling', 'Healthy', 'Released', 'Remediated', 'TestSuccess', 'Drifted'],
  ...['FetchFailed', 'BuildFailed', 'StorageOperationFailed', 'IncludeUnavailable', 'ArtifactInStorage'],
  ...['Plan', 'StateLocked', 'Synced', 'UpToDate', 'LastAsyncOperation', 'AsyncOperation', 'Responsive'],
  ...['Installed', 'RevisionHealthy', 'RuntimeHealthy', 'Established', 'Offered'],
  ...['ComparisonError', 'InvalidSpecError', 'SyncError', 'DeletionError', 'UnknownError'],
]);

/** The entries of status.conditions in their order, `mostTold` at most: those that adapters judge by before any other. */
export function tellingConditions(object: unknown): readonly unknown[] {
  const entries = listAt(object, 'status', 'conditions');
  if (entries.length <= mostTold) return entries;
  const missing = new Set<unknown>(judgedBy);
  const kept = new Set(entries.filter((entry) => missing.delete(at(entry, 'type'))));
  for (const entry of entries) {
    if (kept.size >= mostTold) break;
    kept.add(entry);
  }
  return entries.filter((entry) => kept.delete(entry));
}

/** Reads status.conditions. What is no condition is left out and named in `odd`. */
export function readConditions(object: unknown): ReadConditions {
  const found = at(object, 'status', 'conditions');
  if (found !== undefined && found !== null && !Array.isArray(found))
    return { list: [], odd: 'status.conditions is no list' };
  const list: Condition[] = [];
  let odd: string | null = null;
  for (const entry of tellingConditions(object)) {
    const type = reasonAt(entry, 'type');
    const status = reasonAt(entry, 'status');
    if (type === null || (status !== 'True' && status !== 'False' && status !== 'Unknown')) {
      odd = `condition ${type ?? 'without a type'} has status ${JSON.stringify(status)}`;
      continue;
    }
    list.push({
      type,
      status,
      reason: reasonAt(entry, 'reason') ?? '',
      message: messageAt(entry, 'message') ?? '',
      lastTransitionTime: timeAt(entry, 'lastTransitionTime'),
      observedGeneration: numberAt(entry, 'observedGeneration'),
    });
  }
  return { list, odd };
}

/** The condition of a type, or null. */
export function conditionOf(conditions: readonly Condition[], type: string): Condition | null {
  for (const condition of conditions) if (condition.type === type) return condition;
  return null;
}

/** True if a condition of a type is True. */
export function isTrue(conditions: readonly Condition[], type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}
