/**
 * Links of the chain from an object to somebody who is called, in their order. The first that is broken is named.
 * series: no target exports a series of it. rule: no rule that is loaded reads its series. evaluation: the rule cannot be evaluated, or was not
 * of late. condition: a rule reads it, and its condition is not true of it. hold: the condition is true, the rule still waits for its `for`,
 * perhaps for ever. delivery: the alert fires, and no Alertmanager has it. silence, inhibition, mute: an Alertmanager holds it back.
 * receiver: it is routed to receivers that call nobody. news: an alarm that names no object was sounding before for others, so nobody was called anew.
 */
export const alarmLinks = [
  'series',
  'rule',
  'evaluation',
  'condition',
  'hold',
  'delivery',
  'silence',
  'inhibition',
  'mute',
  'receiver',
  'news',
] as const;

export type AlarmLink = (typeof alarmLinks)[number];

/**
 * The alarm for an object. Times in ms since the epoch.
 * sounding: somebody is called for it, or for its cause; pending: nobody is yet, and it is not yet due; silent: due, and nobody is called;
 * not-due: nothing is away; unknown: no alarm source speaks for it, or what it says cannot be read.
 */
export type AlarmState =
  | {
      readonly state: 'sounding';
      /** When the first alert that sounds for it began to fire; null where that is not known: of what Flux tells. */
      readonly since: number | null;
      /**
       * own: for the object itself; cause: for its root cause; group: by an alert that names no object and began after it was away;
       * notification: Flux tells of it, and the policy counts that.
       */
      readonly by: AlarmBy;
    }
  | { readonly state: 'pending' | 'silent'; readonly broken: AlarmLink }
  | { readonly state: 'not-due' }
  | { readonly state: 'unknown'; readonly why: AlarmsUnknown };

export const alarmBy = ['own', 'cause', 'group', 'notification'] as const;

/** For what an alert sounds: the object itself, its root cause, or a group in which it is; or that Flux itself tells of the object. */
export type AlarmBy = (typeof alarmBy)[number];

export const alarmsUnknown = [
  'none',
  'not-covered',
  'not-read',
  'cut',
  'mutes-untold',
  'not-kept',
  'not-seen',
] as const;

/**
 * Why nothing is known of an alarm. none: no alarm source is configured; not-covered: none speaks for its cluster; not-read: one that does cannot be
 * read; cut: too much to be read, so what is missing may be there; mutes-untold: its Alertmanager does not say whether a time interval mutes it; not-kept: of a past moment; not-seen: the object is not seen itself.
 */
export type AlarmsUnknown = (typeof alarmsUnknown)[number];

/** Names of the states. */
export const alarmStates = ['sounding', 'silent', 'pending', 'not-due', 'unknown'] as const;
