import type { ObjectRef } from '../../observation/ref.ts';
import type { CurrentCluster, CurrentObject } from '../../record/current.ts';
import { type AlertReach, type Notified, notificationLinks } from './link.ts';
import { reachOfAlert, type ToldEvent } from './alert-reach.ts';
import { type Notifier, notifierOf, sendsEvents } from './notifier.ts';
import { eventOf, eventOfFailure, type SaidEvent } from './said-event.ts';

/** Most Alerts of an object that are told one by one. */
const mostAlerts = 20;

/** Answer to whether Flux tells of what an object is, as known at `now` (ms). */
export function notifiedOf(object: CurrentObject, cluster: CurrentCluster | null, now: number): Notified {
  return notified(object.ref, eventOf(object), cluster, now);
}

/**
 * True if Flux tells of what an object is by an Alert of its own namespace, or of that of notification-controller. Whoever may write in any other may have its
 * events sent to a channel of his: that calls nobody for it.
 */
export function isCalledBy(object: CurrentObject, cluster: CurrentCluster | null, now: number): boolean {
  const notifier = notifierOf(cluster, now);
  if (typeof notifier === 'string') return false;
  const { state, alerts } = notifiedOf(object, cluster, now);
  return state === 'told' && alerts.some((alert) => alert.state === 'whole' && isNear(alert, object.ref, notifier));
}

/** Answer to whether Flux would tell of an object if it failed, as known at `now` (ms). */
export function wouldBeNotified(ref: ObjectRef, cluster: CurrentCluster | null, now: number): Notified {
  return notified(ref, eventOfFailure(ref), cluster, now);
}

function notified(ref: ObjectRef, event: SaidEvent, cluster: CurrentCluster | null, now: number): Notified {
  const notifier = notifierOf(cluster, now);
  const sends = typeof notifier === 'string' ? null : sendsEvents(notifier, ref);
  if (event.type === 'none' || sends === false) {
    const alerts = typeof notifier === 'string' ? [] : reachesOf(ref, anything, notifier);
    return { state: 'not-told', link: 'event', alerts };
  }
  if (typeof notifier === 'string') return { state: 'unknown', why: notifier, link: null, alerts: [] };
  const alerts = reachesOf(ref, toldEvent(event, sends), notifier);
  const [best] = alerts;
  if (best?.state === 'whole') return { state: 'told', alerts };
  // One that is not kept may tell of it.
  if (notifier.cut) return { state: 'unknown', why: 'cut', link: null, alerts };
  if (best === undefined) return { state: 'not-told', link: 'alert', alerts };
  const link = best.link ?? 'alert';
  return best.state === 'broken'
    ? { state: 'not-told', link, alerts }
    : { state: 'unknown', why: 'unclear', link, alerts };
}

/** Most letters of patterns and messages that are looked at for one object: some 0.5 ms, for every object that is away. */
const mostLetters = 50_000;

const anything: ToldEvent = { message: '', isSent: true };

function toldEvent(event: Exclude<SaidEvent, { readonly type: 'none' }>, sends: true | null): ToldEvent {
  return event.type === 'error' ? { message: event.message, isSent: sends } : { message: '', isSent: null };
}

/** The Alerts that cover an object, or may, the furthest first. */
function reachesOf(ref: ObjectRef, told: ToldEvent, notifier: Notifier): readonly AlertReach[] {
  const looking = { left: mostLetters };
  const nearness = (alert: AlertReach): number => Number(isNear(alert, ref, notifier));
  return notifier.alerts
    .flatMap((alert) => reachOfAlert(alert, ref, told, notifier, looking) ?? [])
    .toSorted((a, b) => rankOf(b) - rankOf(a) || nearness(b) - nearness(a))
    .slice(0, mostAlerts);
}

/** True of an Alert that who runs the object, or Flux, has written. */
function isNear({ namespace }: AlertReach, ref: ObjectRef, { home }: Notifier): boolean {
  return namespace === ref.namespace || namespace === home;
}

function rankOf({ state, link }: AlertReach): number {
  const more = notificationLinks.length;
  const at = link === null ? 0 : notificationLinks.indexOf(link);
  switch (state) {
    case 'whole':
      return 2 * more;
    case 'unclear':
      return more + at;
    case 'broken':
      return at;
  }
}
