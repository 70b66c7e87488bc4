import { z } from 'zod';
import { alertStates } from '../../domain/alarm/chain.ts';
import { notificationLinks, notifiedStates } from '../../domain/alarm/notification/link.ts';
import { alarmBy, alarmLinks, alarmsUnknown, alarmStates } from '../../domain/alarm/link.ts';
import { Time } from '../params.ts';

/** State of the alarm of an object. */
export const AlarmName = z.enum(alarmStates);
/** Alarm of an object. */
export const WireAlarm = z.object({
  state: AlarmName,
  /** The first broken link of the chain from its series to somebody who is called, where it is pending or silent. */
  broken: z.enum(alarmLinks).nullable(),
  /** When the first alert that sounds for it began to fire; null where that is not known: of what Flux tells. */
  since: Time.nullable(),
  /**
   * own: it names the object; cause: its root cause; group: it names no object and began after this one was away; notification: Flux tells of
   * it, and the policy counts that.
   */
  by: z.enum(alarmBy).nullable(),
  /** Why nothing is known. */
  why: z.enum(alarmsUnknown).nullable(),
});
export type WireAlarm = z.infer<typeof WireAlarm>;

/** One link of an object's alarm chain. later: not reached, because a link before it is broken. */
const WireChainStep = z.object({
  link: z.enum(alarmLinks),
  state: z.enum(['whole', 'broken', 'later']),
  text: z.string(),
  at: Time.nullable(),
});

/** An alert that concerns an object. */
const WireChainAlert = z.object({
  source: z.string(),
  name: z.string(),
  by: z.enum(alarmBy),
  state: z.enum(alertStates),
  labels: z.record(z.string(), z.string()),
  /** When its condition became true, or where only an Alertmanager tells of it, when it began to fire. */
  since: Time,
  /** Names of its receivers with what they call with: "oncall (pagerduty)". */
  receivers: z.array(z.string()),
});

/** The chain from an object to somebody who is called, as far as it got. */
export const WireAlarmChain = z.object({
  alarm: WireAlarm,
  /** Of all rules and sources the chain that got furthest; [] where nothing is known. */
  steps: z.array(WireChainStep),
  /** The first 50, fewer where they are long. */
  alerts: z.array(WireChainAlert),
  /** null: more may concern it than are looked at. */
  alertsTotal: z.number().nullable(),
  /** Mend of the first broken link, a sentence; null where none is broken. */
  mend: z.string().nullable(),
  /** When the oldest reading that this rests on began; null where there is none. */
  asOf: Time.nullable(),
});
export type WireAlarmChain = z.infer<typeof WireAlarmChain>;

/** Tells whether Flux itself tells of an object (Alert, Provider), beside the chain of alarms. */
export const WireNotified = z.object({
  state: z.enum(notifiedStates),
  /** The link that is broken, or not clear; null where none is, or where nothing of it is known. */
  link: z.enum(notificationLinks).nullable(),
  /** On what it is, or of an object that is as in git on what would be: a sentence. */
  text: z.string(),
  /** Mend of the first broken link, a sentence; null where none is broken. */
  mend: z.string().nullable(),
  /** True where the policy counts it as an alarm that sounds. */
  counted: z.boolean(),
  /** The Alerts that cover it, or may, a sentence each, the furthest first: at most 20. */
  alerts: z.array(z.object({ state: z.enum(['whole', 'broken', 'unclear']), text: z.string() })),
});
export type WireNotified = z.infer<typeof WireNotified>;
