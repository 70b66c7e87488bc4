import { isAway, type Policy } from '../guarantee/guarantee.ts';
import type { CurrentCluster, CurrentObject } from '../record/current.ts';
import { asKnownAt } from '../verdict/as-known-at.ts';
import type { KnownAlarms } from './chain.ts';
import { reachUnknown } from './finding.ts';
import type { AlarmState, AlarmsUnknown } from './link.ts';
import { isCalledBy } from './notification/notified.ts';
import type { KnownObject } from './with-alarm.ts';

export type { KnownObject } from './with-alarm.ts';

/** Sources that are joined where an object is told: its cluster, the alarms, and what the policy asks of them. */
export interface Joined {
  readonly cluster: CurrentCluster | null;
  readonly alarms: KnownAlarms;
  readonly policy: Pick<Policy, 'alarmWithin' | 'notifications'>;
}

/** An object that no alarm is joined with yet: of what is away nothing is known, so that it never counts as called for. */
export function withoutAlarms(object: CurrentObject): KnownObject {
  return { ...object, alarm: asksForAlarm(object) ? unjoined : notDue };
}

/** An object as it may be told at `now` (ms): as known then, with its alarm. Pure, applied on every read. */
export function knownAt(stored: KnownObject, joined: Joined, now: number): KnownObject {
  const object = asKnownAt(stored, joined.cluster, now);
  if (asksForAlarm(object)) return { ...object, alarm: alarmFor(object, joined, now) };
  return object.alarm.state === 'not-due' ? object : { ...object, alarm: notDue };
}

function alarmFor(object: CurrentObject, { cluster, alarms, policy }: Joined, now: number): AlarmState {
  const alarm = alarms.alarmOf(object, now, policy.alarmWithin);
  if (policy.notifications === 'show' || alarm.state === 'sounding') return alarm;
  return isCalledBy(object, cluster, now) ? byNotification : alarm;
}

const byNotification: AlarmState = { state: 'sounding', since: null, by: 'notification' };
const notDue: AlarmState = { state: 'not-due' };
const unjoined: AlarmState = { state: 'unknown', why: 'none' };

function asksForAlarm({ verdict }: CurrentObject): boolean {
  return isAway(verdict) || verdict === 'unobserved';
}

/** Alarms of which nothing is known, and why: no source is configured, or the moment is past. */
export function unknownAlarms(why: AlarmsUnknown): KnownAlarms {
  const alarm: AlarmState = { state: 'unknown', why };
  return {
    stamp: () => 0,
    alarmOf: () => alarm,
    chainOf: () => ({ alarm, steps: [], alerts: [], isCut: false, mend: null, asOf: null }),
    reachOf: () => reachUnknown,
    noticesWith: () => [],
    sources: () => [],
    loadedRules: () => null,
    rulesReading: () => [],
    clustersOf: () => [],
    *coverage() {
      yield;
      return { unknown: why, sources: [], kinds: [], findings: [], silent: [] };
    },
  };
}
