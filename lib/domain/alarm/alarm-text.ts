import { alarmsUnknown, type AlarmBy, type AlarmLink, type AlarmsUnknown } from './link.ts';
import type { ReachAnswer } from './reach.ts';

/** Names of the links, as they stand before their sentence. */
export const linkName: Readonly<Record<AlarmLink, string>> = {
  series: 'Series',
  rule: 'Rule',
  evaluation: 'Evaluation',
  condition: 'Condition',
  hold: 'Hold',
  delivery: 'Delivery',
  silence: 'Silence',
  inhibition: 'Inhibition',
  mute: 'Mute',
  receiver: 'Receiver',
  news: 'News',
};

/** Clause on why nobody is called where a link is broken: "no rule reads it". */
export const brokenText: Readonly<Record<AlarmLink, string>> = {
  series: 'no metric of it is exported',
  rule: 'no rule reads it',
  evaluation: 'its rule is not evaluated',
  condition: 'the condition of its rule is not true of it',
  hold: 'its alert is pending: the rule still waits',
  delivery: 'its alert fires, and no Alertmanager has it',
  silence: 'a silence holds its alert back',
  inhibition: 'another alert holds its alert back',
  mute: 'a time interval mutes its alert',
  receiver: 'its alert goes to a receiver that calls nobody',
  news: 'its alert names a group, and was sounding before it was away',
};

/** Clause on why nothing is known of an alarm of one object: "no alert source speaks for its cluster". */
export const unknownText: Readonly<Record<AlarmsUnknown, string>> = {
  none: 'no alert source is configured',
  'not-covered': 'no alert source speaks for its cluster',
  'not-read': 'an alert source of its cluster cannot be read',
  cut: 'an alert source of its cluster tells more than is read, so what is missing may be there',
  'mutes-untold': 'its Alertmanager does not say whether a time interval mutes its alert',
  'not-kept': 'alarms are not kept',
  'not-seen': 'the object itself is not seen',
};

/** Answers on the reach of a chain, said of objects that are chosen by them. */
export const reachText: Readonly<Record<ReachAnswer, string>> = {
  exported: 'with a metric that is exported',
  'not-exported': 'without a metric',
  'unknown-exported': 'whose metrics are not known',
  ruled: 'read by a rule',
  'not-ruled': 'read by no rule',
  'unknown-ruled': 'whose rules are not known',
  routed: 'with somebody to be called',
  'not-routed': 'with nobody to be called',
  'unknown-routed': 'whose receivers are not known',
};

/** For what or by what an alarm sounds, after "sounding": "for its root cause". */
export const soundingFor: Readonly<Record<AlarmBy, string>> = {
  own: 'for it',
  cause: 'for its root cause',
  group: 'for the group that it is in',
  notification: 'by a notification of Flux',
};

/** Said of alarms of a past moment. */
export const alarmsNotKept = 'What alarms were then is not kept.';

/** The same reasons, said of several objects. */
const manyText: Readonly<Record<AlarmsUnknown, string>> = {
  none: 'no alert source is configured',
  'not-covered': 'no alert source speaks for the cluster',
  'not-read': 'an alert source cannot be read',
  cut: 'an alert source tells more than is read',
  'mutes-untold': 'an Alertmanager does not say what time intervals mute',
  'not-kept': 'alarms are not kept',
  'not-seen': 'what is not seen may be in order or not',
};

/** Why alarms are not known, of some objects that ask for one; `some`: others have an alarm that is known. */
export interface PagingUnknown {
  readonly why: ReadonlySet<AlarmsUnknown>;
  readonly some: boolean;
}

/**
 * Sentence on objects that ask whether somebody was called, where that is not known: "Paging status unknown: no alert source is configured."
 * null where it is known of all.
 */
export function pagingText({ why, some }: PagingUnknown): string | null {
  // One that is not seen is counted as such already.
  const told = alarmsUnknown.filter((each) => why.has(each) && each !== 'not-seen');
  if (told.length === 0) return null;
  if (told.includes('not-kept')) return alarmsNotKept;
  const reasons = told.map((each) => manyText[each]).join('; ');
  return `Paging status unknown${some || told.length > 1 ? ' for some' : ''}: ${reasons}.`;
}
