import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';

/** A change of what alarm sources tell, as the store gives it. `key` is the `factKey`. */
export type AlarmChange =
  | { readonly type: 'alarm-source'; readonly source: AlarmSource }
  | { readonly type: 'alarm-source-removed'; readonly source: string }
  | { readonly type: 'alarm-fact'; readonly source: string; readonly fact: AlarmFact }
  | { readonly type: 'alarm-fact-removed'; readonly source: string; readonly key: string };

const types: Readonly<Record<AlarmChange['type'], true>> = {
  'alarm-source': true,
  'alarm-source-removed': true,
  'alarm-fact': true,
  'alarm-fact-removed': true,
};

/** Changes of the store by what they speak of: alarms, or clusters and objects; each in its order. */
export function divided<Change extends { readonly type: string }>(
  changes: readonly (Change | AlarmChange)[],
): { readonly ofAlarms: readonly AlarmChange[]; readonly others: readonly Exclude<Change, AlarmChange>[] } {
  const ofAlarms: AlarmChange[] = [];
  const others: Exclude<Change, AlarmChange>[] = [];
  for (const change of changes) {
    if (isOfAlarms(change)) ofAlarms.push(change);
    else if (isOther(change)) others.push(change);
  }
  return { ofAlarms, others };
}

function isOfAlarms(change: { readonly type: string }): change is AlarmChange {
  return Object.hasOwn(types, change.type);
}

function isOther<Change extends { readonly type: string }>(change: Change): change is Exclude<Change, AlarmChange> {
  return !isOfAlarms(change);
}
