import type { CurrentObject } from '../../record/current.ts';
import type { AlertReach, Notified, NotificationLink, NotificationsUnknown } from './link.ts';
import { eventOf } from './said-event.ts';

/** Clause on why nobody is told where a link is broken: "no Alert covers it". */
export const untoldText: Readonly<Record<NotificationLink, string>> = {
  event: 'its controller sends no events to notification-controller (--events-addr)',
  alert: 'no Alert covers it',
  suspended: 'its Alert is suspended',
  'not-ready': 'its Alert is not Ready',
  severity: 'its Alert asks for a severity that no event has',
  messages: 'the patterns of its Alert leave its message out',
  provider: 'the Provider of its Alert is not there',
  'provider-suspended': 'the Provider of its Alert is suspended',
  'provider-not-ready': 'the Provider of its Alert is not Ready',
  'no-message': 'the Provider of its Alert only writes beside commits',
  controller: 'notification-controller does not live',
};

/** Clause on why it is not known whether anybody is told, where a link is not clear. */
const unclearText: Readonly<Record<NotificationLink, string>> = {
  event: 'whether an event for it is sent, or was sent while somebody was told, is not known',
  alert: 'an Alert covers it only by labels, or across namespaces, and whether it does is not known',
  suspended: 'whether its Alert is suspended is not known',
  'not-ready': 'whether its Alert is Ready is not known',
  severity: 'the severity of its Alert is not known',
  messages: 'the patterns of its Alert may leave its message out',
  provider: 'the Provider of its Alert cannot be read',
  'provider-suspended': 'whether the Provider of its Alert is suspended is not known',
  'provider-not-ready': 'whether the Provider of its Alert is Ready is not known',
  'no-message': 'the Provider of its Alert hands events to a program, and whether that tells anybody is not known',
  controller: 'whether notification-controller lives is not known',
};

/** Clause on why nothing is known: "its Alerts and Providers cannot be read". */
const unknownText: Readonly<Record<Exclude<NotificationsUnknown, 'unclear'>, string>> = {
  'not-kept': 'what Alerts there were is not kept',
  'not-seen': 'its cluster is not seen',
  'not-read': 'the Alerts of its cluster cannot be read',
  cut: 'there are more Alerts than are kept',
};

/** Mend of each link, a sentence. */
const mends: Readonly<Record<Exclude<NotificationLink, 'event'>, string>> = {
  alert: 'Add it to eventSources of an Alert.',
  suspended: 'Take spec.suspend out of the Alert.',
  'not-ready': 'See the condition Ready of the Alert.',
  severity: 'Set eventSeverity of the Alert to info or error.',
  messages: 'Narrow inclusionList and exclusionList of the Alert.',
  provider: 'Create the Provider in the namespace of the Alert, or correct providerRef.',
  'provider-suspended': 'Take spec.suspend out of the Provider.',
  'provider-not-ready': 'See the condition Ready of the Provider.',
  'no-message': 'Name a Provider that tells somebody: slack, msteams, pagerduty.',
  controller: 'See why notification-controller does not run.',
};

/** An Alert with its Provider, as it is named in a sentence. */
function nameOf({ namespace, name }: AlertReach): string {
  return `Alert ${namespace}/${name}`;
}

/** The Provider of an Alert with what it tells by: "slack (slack)". */
export function providerText({ provider, calls }: Pick<AlertReach, 'provider' | 'calls'>): string {
  return calls === null || calls === '' ? provider : `${provider} (${calls})`;
}

/** Sentence on one Alert that covers an object, or may. */
export function alertText(alert: AlertReach): string {
  const { state, link } = alert;
  if (state === 'whole' || link === null)
    return `${nameOf(alert)} sends its errors to Provider ${providerText(alert)}.`;
  return `${nameOf(alert)}: ${(state === 'broken' ? untoldText : unclearText)[link]}.`;
}

/** Sentence on whether Flux tells of what an object is. */
export function notifiedText(notified: Notified, object: CurrentObject): string {
  switch (notified.state) {
    case 'told': {
      const [first] = notified.alerts;
      return first === undefined ? 'Flux tells of it.' : `Flux tells of it: ${alertText(first)}`;
    }
    case 'not-told': {
      const event = eventOf(object);
      const why = notified.link === 'event' && event.type === 'none' ? event.why : untoldText[notified.link];
      return `Flux tells nobody of it: ${why}.`;
    }
    case 'unknown':
      return `Whether Flux tells anybody of it is not known: ${whyUnknown(notified)}.`;
  }
}

/** Sentence on whether Flux would tell of an object that is as in git. */
export function wouldBeNotifiedText(notified: Notified): string {
  switch (notified.state) {
    case 'told': {
      const [first] = notified.alerts;
      return `If it failed, Flux would tell of it${first === undefined ? '.' : `: ${alertText(first)}`}`;
    }
    case 'not-told':
      return `If it failed, Flux would tell nobody: ${untoldText[notified.link]}.`;
    case 'unknown':
      return `Whether Flux would tell anybody if it failed is not known: ${whyUnknown(notified)}.`;
  }
}

function whyUnknown({ why, link }: Extract<Notified, { readonly state: 'unknown' }>): string {
  return why === 'unclear' ? unclearText[link ?? 'event'] : unknownText[why];
}

/** Mend of a broken link, a sentence. */
export function mendOf(link: Exclude<NotificationLink, 'event'>): string {
  return mends[link];
}

/** Mend of the first broken link, a sentence; null where none is broken, and where nothing of Flux mends it. */
export function notifiedMend(notified: Notified): string | null {
  return notified.state === 'not-told' && notified.link !== 'event' ? mends[notified.link] : null;
}
