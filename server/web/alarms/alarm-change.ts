import type { AlarmChange } from '#lib/domain/alarm/alarm-book.ts';

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
