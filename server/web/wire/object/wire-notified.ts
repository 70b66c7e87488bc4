import type { WireNotified } from '#lib/api/alarm/chain.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { notifiedOf, wouldBeNotified } from '#lib/domain/alarm/notification/notified.ts';
import { tellsOfKind } from '#lib/domain/alarm/notification/said-event.ts';
import { alertText, notifiedMend, notifiedText, wouldBeNotifiedText } from '#lib/domain/alarm/notification/text.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';

/** Of what has not failed it is told what would be if it did. */
const notFailed: ReadonlySet<Verdict> = new Set(['converged', 'unconfirmed', 'progressing']);

/** Tells whether Flux tells of an object, as known at `now` (ms), on the wire; null of a kind of which it tells nothing. */
export function wireNotified(
  object: KnownObject,
  cluster: CurrentCluster | null,
  { notifications }: Pick<Policy, 'notifications'>,
  now: number,
): WireNotified | null {
  if (tellsOfKind(object.ref) === false) return null;
  const would = notFailed.has(object.verdict);
  const notified = would ? wouldBeNotified(object.ref, cluster, now) : notifiedOf(object, cluster, now);
  return {
    state: notified.state,
    link: notified.state === 'told' ? null : notified.link,
    text: would ? wouldBeNotifiedText(notified) : notifiedText(notified, object),
    mend: notifiedMend(notified),
    counted: notifications === 'count',
    alerts: notified.alerts.map((alert) => ({ state: alert.state, text: alertText(alert) })),
  };
}
