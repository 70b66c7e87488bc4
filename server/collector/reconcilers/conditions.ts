import type { Condition } from '#lib/domain/observation/observation.ts';
import { redact } from '#lib/domain/observation/redact.ts';
import { at, listAt, numberAt, textAt, timeAt } from '#lib/foreign.ts';

/** The conditions of an object; `odd` says what was wrong with them, null where nothing was. */
export interface ReadConditions {
  readonly list: readonly Condition[];
  readonly odd: string | null;
}

/** Reads status.conditions. What is no condition is left out and named in `odd`. */
export function readConditions(object: unknown): ReadConditions {
  const found = at(object, 'status', 'conditions');
  if (found !== undefined && found !== null && !Array.isArray(found))
    return { list: [], odd: 'status.conditions is no list' };
  const list: Condition[] = [];
  let odd: string | null = null;
  for (const entry of listAt(object, 'status', 'conditions')) {
    const type = textAt(entry, 'type');
    const status = textAt(entry, 'status');
    if (type === null || (status !== 'True' && status !== 'False' && status !== 'Unknown')) {
      odd = `condition ${type ?? 'without a type'} has status ${JSON.stringify(status)}`;
      continue;
    }
    list.push({
      type,
      status,
      reason: textAt(entry, 'reason') ?? '',
      message: redact(textAt(entry, 'message') ?? ''),
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
