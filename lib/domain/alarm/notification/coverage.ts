import { compareText } from '../../observation/compare-text.ts';
import { kindKey, type ObjectRef } from '../../observation/ref.ts';
import type { CurrentCluster } from '../../record/current.ts';
import type { CoveredCluster, ReachCount } from '../finding.ts';
import { brokenOfItself } from './alert-reach.ts';
import type { NotificationLink, NotificationsUnknown } from './link.ts';
import { wouldBeNotified } from './notified.ts';
import { type Notifier, notifierOf } from './notifier.ts';
import { tellsOfKind } from './said-event.ts';
import { mendOf, untoldText } from './text.ts';

/** Objects of a kind on a cluster by whether Flux would tell of them if they failed. */
export interface NotifiedKind {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
  readonly told: ReachCount;
}

/** A weakness of an Alert that stands whatever fails, or of all that a cluster has. */
export interface NotificationFinding {
  readonly cluster: string;
  /** Namespace and name of the Alert; null where it is of all of them. */
  readonly alert: string | null;
  readonly link: NotificationLink;
  /** The fault, a sentence. */
  readonly text: string;
  /** Its mend, a sentence. */
  readonly mend: string;
}

/** All that notifications of Flux cover on one cluster. */
export interface ClusterNotifications {
  readonly cluster: string;
  /** Number of Alerts that are read. */
  readonly alerts: number;
  /** Why nothing of it is known; null where it is. */
  readonly unknown: NotificationsUnknown | null;
  readonly kinds: readonly NotifiedKind[];
  readonly findings: readonly NotificationFinding[];
}

const kept = new WeakMap<CoveredCluster['objects'], ClusterNotifications>();

/**
 * Notifications of a cluster whose objects are as known at `now` (ms), with its record: made once for as long as the list of objects is the same,
 * which is made anew with everything in the record that can be seen.
 */
export function notificationsOf(
  covered: CoveredCluster,
  record: CurrentCluster | null,
  now: number,
): ClusterNotifications {
  const found = kept.get(covered.objects) ?? make(covered, record, now);
  kept.set(covered.objects, found);
  return found;
}

function make({ name, objects }: CoveredCluster, record: CurrentCluster | null, now: number): ClusterNotifications {
  const notifier = notifierOf(record, now);
  const telling = objects.filter(({ ref, role }) => role !== 'declared' && tellsOfKind(ref) !== false);
  const alikeTo = typeof notifier === 'string' ? null : alikeness(notifier);
  const known = new Map<string, keyof ReachCount>();
  const answerFor = (ref: ObjectRef): keyof ReachCount => {
    const alike = alikeTo?.(ref) ?? '';
    const answer = known.get(alike) ?? answers[wouldBeNotified(ref, record, now).state];
    if (alike !== '') known.set(alike, answer);
    return answer;
  };
  const kinds = [...Map.groupBy(telling, ({ ref }) => kindKey(ref)).values()].flatMap((of): NotifiedKind[] => {
    const [first] = of;
    if (first === undefined) return [];
    const told = { yes: 0, no: 0, unknown: 0 };
    for (const { ref } of of) told[answerFor(ref)] += 1;
    const { group, kind } = first.ref;
    return [{ cluster: name, group, kind, objects: of.length, told }];
  });
  if (typeof notifier === 'string') return { cluster: name, alerts: 0, unknown: notifier, kinds, findings: [] };
  const findings = notifier.alerts.flatMap((alert): NotificationFinding[] => {
    const link = brokenOfItself(alert, notifier);
    if (link === null) return [];
    const named = `${alert.namespace}/${alert.name}`;
    return [{ cluster: name, alert: named, link, text: `Alert ${named}: ${untoldText[link]}.`, mend: mendOf(link) }];
  });
  const isDead = notifier.controller === 'dead' && notifier.alerts.length > 0;
  const dead: NotificationFinding = {
    cluster: name,
    alert: null,
    link: 'controller',
    text: 'notification-controller does not live, so no Alert is sent.',
    mend: mendOf('controller'),
  };
  return {
    cluster: name,
    alerts: notifier.alerts.length,
    unknown: null,
    kinds,
    findings: [...(isDead ? [dead] : []), ...findings.toSorted((a, b) => compareText(a.text, b.text))],
  };
}

/**
 * Gives one text for objects that all Alerts cover alike: each object by itself would be held against hundreds of Alerts, and a cluster has as many of both
 * as it likes.
 */
function alikeness({ alerts }: Notifier): (ref: ObjectRef) => string {
  const namespaces = new Set<string>();
  const objects = new Set<string>();
  for (const { namespace, sources } of alerts) {
    namespaces.add(namespace);
    for (const source of sources) {
      namespaces.add(source.namespace);
      objects.add(JSON.stringify([source.kind, source.namespace, source.name]));
    }
  }
  return ({ group, kind, namespace, name }) => {
    const isNamed = objects.has(JSON.stringify([kind, namespace, name]));
    return JSON.stringify([group, kind, namespaces.has(namespace) ? namespace : null, isNamed ? name : null]);
  };
}

const answers = { told: 'yes', 'not-told': 'no', unknown: 'unknown' } as const;
