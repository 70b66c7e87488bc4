import type { ObjectRef } from '../../observation/ref.ts';
import type { EventSource, NotificationAlert, NotificationProvider } from '../alarming/fact.ts';
import type { Looking } from '../check/plain-pattern.ts';
import type { AlertReach, NotificationLink } from './link.ts';
import { messageMatches } from './message-match.ts';
import { type Notifier, providerKey } from './notifier.ts';

/** Types of Providers that write to people. Source: NC, api/v1beta3/provider_types.go and internal/notifier. */
const toPeople: ReadonlySet<string> = new Set([
  ...['slack', 'discord', 'msteams', 'rocket', 'googlechat', 'webex', 'lark', 'matrix', 'telegram', 'zulip'],
  ...['pagerduty', 'opsgenie', 'incidentio'],
]);

/** Types of Providers that write beside commits or pull requests, and tell nobody. Source: NC, internal/server (isCommitStatusProvider, isChangeRequestProvider). */
const besideCommits: ReadonlySet<string> = new Set([
  ...['github', 'gitlab', 'gitea', 'bitbucket', 'bitbucketserver', 'azuredevops'],
  ...['githubpullrequestcomment', 'gitlabmergerequestcomment', 'giteapullrequestcomment'],
]);

/** An event that is sent, or may be. */
export interface ToldEvent {
  /** '' where it is not known. */
  readonly message: string;
  /** null where it may be. */
  readonly isSent: true | null;
}

/**
 * Tests if an Alert covers an object; null where that is not known. Source: NC, internal/server/event_handlers.go (eventMatchesAlertSource): kind,
 * namespace and name, and labels, which are not kept of objects.
 */
export function covers(alert: NotificationAlert, ref: ObjectRef, crosses: boolean | null): boolean | null {
  const across = ref.namespace === alert.namespace ? true : crosses;
  if (across === false) return false;
  const found = alert.sources.filter((source) => isNamed(source, ref));
  if (found.some(({ labels }) => labels.length === 0)) return across;
  return found.length > 0 || alert.more ? null : false;
}

function isNamed({ kind, namespace, name }: EventSource, ref: ObjectRef): boolean {
  return kind === ref.kind && namespace === ref.namespace && (name === '*' || name === ref.name);
}

/** Reach of an Alert with an event of an object; null where it does not cover it. `looking`: the letters that all Alerts of the object may look at. */
export function reachOfAlert(
  alert: NotificationAlert,
  ref: ObjectRef,
  told: ToldEvent,
  notifier: Notifier,
  looking: Looking,
): AlertReach | null {
  const covered = covers(alert, ref, notifier.crosses);
  if (covered === false) return null;
  const { namespace, name, provider: named } = alert;
  const provider = providerOf(alert, notifier);
  const links = linksOf(alert, provider, told, notifier, looking);
  const broken = links.find(({ holds }) => holds === false);
  const unclear = covered === null ? { link: 'alert' as const } : links.find(({ holds }) => holds === null);
  return {
    namespace,
    name,
    provider: named,
    calls: provider?.calls ?? null,
    state: broken ? 'broken' : unclear ? 'unclear' : 'whole',
    link: broken?.link ?? unclear?.link ?? null,
  };
}

/** The first link of an Alert that is broken whatever it is to tell; null for none. */
export function brokenOfItself(alert: NotificationAlert, notifier: Notifier): LinkOfItself | null {
  const links = linksOfItself(alert, providerOf(alert, notifier), notifier);
  return links.find(({ holds }) => holds === false)?.link ?? null;
}

function providerOf({ namespace, provider }: NotificationAlert, { providers }: Notifier): NotificationProvider | null {
  return providers?.get(providerKey({ namespace, name: provider })) ?? null;
}

/** A link that is the Alert's own, or its Provider's. */
type LinkOfItself = Exclude<NotificationLink, 'event' | 'alert' | 'messages' | 'controller'>;

interface Link<L extends NotificationLink = NotificationLink> {
  readonly link: L;
  /** null where that is not known. */
  readonly holds: boolean | null;
}

function linksOf(
  alert: NotificationAlert,
  provider: NotificationProvider | null,
  told: ToldEvent,
  notifier: Notifier,
  looking: Looking,
): readonly Link[] {
  const { controller } = notifier;
  return [
    ...linksOfItself(alert, provider, notifier),
    { link: 'messages', holds: letsThrough(alert, told, looking) },
    { link: 'controller', holds: controller === 'unknown' ? null : controller === 'alive' },
    { link: 'event', holds: told.isSent },
  ];
}

function linksOfItself(
  alert: NotificationAlert,
  provider: NotificationProvider | null,
  { providers, providersCut }: Notifier,
): readonly Link<LinkOfItself>[] {
  const own: readonly Link<LinkOfItself>[] = [
    { link: 'suspended', holds: !alert.suspended },
    { link: 'not-ready', holds: alert.ready ?? true },
    { link: 'severity', holds: alert.severity !== 'other' },
  ];
  if (provider === null)
    return [...own, { link: 'provider', holds: providers === null || providersCut ? null : false }];
  return [
    ...own,
    { link: 'provider-suspended', holds: !provider.suspended },
    { link: 'provider-not-ready', holds: provider.ready ?? true },
    { link: 'no-message', holds: tellsPeople(provider.calls) },
  ];
}

/** null of a type that hands events to a program, such as a webhook, a queue, a dashboard or an Alertmanager: who hears of them there is not known. */
function tellsPeople(type: string): boolean | null {
  if (besideCommits.has(type)) return false;
  return toPeople.has(type) ? true : null;
}

/** Tests if the patterns of an Alert let a message through: it must match one of those to include, if there are any, and none to exclude. */
function letsThrough(
  { including, excluding }: NotificationAlert,
  { message }: ToldEvent,
  looking: Looking,
): boolean | null {
  if (including?.length === 0 && excluding?.length === 0) return true;
  if (message === '') return null;
  const matches = (patterns: readonly string[] | null): boolean | null => {
    if (patterns === null) return null;
    const answers = patterns.map((pattern) => messageMatches(pattern, message, looking));
    if (answers.includes(true)) return true;
    return answers.includes(null) ? null : false;
  };
  const isIncluded = including?.length === 0 ? true : matches(including);
  const isExcluded = matches(excluding);
  if (isExcluded === true || isIncluded === false) return false;
  return isExcluded === null || isIncluded === null ? null : true;
}
