import type { EventSource, NotificationAlert, NotificationProvider } from '#lib/domain/alarm/alarming/fact.ts';
import { at, booleanAt, firstAt, type ForeignObject, isForeignObject, listAt } from '#lib/foreign.ts';
import { foreignLabel, foreignName, nameAt, wholeWordsAt } from '#lib/foreign-words.ts';

/** Most event sources that are kept of an Alert, and labels of one. */
const mostSources = 64;
const mostLabels = 8;

/** API versions whose objects have a status; from v1beta3 on they have none. Source: notification-controller, api. */
const withStatus: ReadonlySet<string> = new Set(['v1beta1', 'v1beta2']);

/**
 * An Alert; null where it has no name. Source: notification-controller, internal/server/event_handlers.go: an event source without a
 * namespace means that of the Alert, a severity that is not set is `info`.
 */
export function readAlert(object: ForeignObject, version: string): NotificationAlert | null {
  const { namespace, name } = nameOf(object);
  if (name === '') return null;
  const severity = nameAt(object, 'spec', 'eventSeverity') ?? 'info';
  return {
    type: 'notification-alert',
    namespace,
    name,
    suspended: booleanAt(object, 'spec', 'suspend') === true,
    ready: readyOf(object, version),
    severity: severity === 'info' || severity === 'error' ? severity : 'other',
    sources: firstAt(mostSources, object, 'spec', 'eventSources').flatMap((source) => eventSource(source, namespace)),
    more: listAt(object, 'spec', 'eventSources').length > mostSources,
    including: wholeWordsAt(object, 'spec', 'inclusionList'),
    excluding: wholeWordsAt(object, 'spec', 'exclusionList'),
    provider: nameAt(object, 'spec', 'providerRef', 'name') ?? '',
  };
}

/** A Provider; null where it has no name. Of its spec only its type is read, and whether it is suspended. */
export function readProvider(object: ForeignObject, version: string): NotificationProvider | null {
  const { namespace, name } = nameOf(object);
  if (name === '') return null;
  return {
    type: 'notification-provider',
    namespace,
    name,
    suspended: booleanAt(object, 'spec', 'suspend') === true,
    ready: readyOf(object, version),
    calls: nameAt(object, 'spec', 'type') ?? '',
  };
}

function nameOf(object: ForeignObject): { readonly namespace: string; readonly name: string } {
  return {
    namespace: nameAt(object, 'metadata', 'namespace') ?? '',
    name: nameAt(object, 'metadata', 'name') ?? '',
  };
}

function readyOf(object: ForeignObject, version: string): boolean | null {
  if (!withStatus.has(version)) return null;
  const ready = listAt(object, 'status', 'conditions').find((condition) => at(condition, 'type') === 'Ready');
  return at(ready, 'status') === 'True';
}

function eventSource(source: unknown, own: string): EventSource[] {
  const kind = nameAt(source, 'kind');
  const name = nameAt(source, 'name');
  if (kind === null || name === null) return [];
  const said = at(source, 'matchLabels');
  const asked = isForeignObject(said) ? Object.entries(said) : [];
  const namespace = nameAt(source, 'namespace') ?? '';
  return [
    {
      kind,
      name,
      namespace: namespace === '' ? own : namespace,
      labels: asked.slice(0, mostLabels).map(([label, value]) => `${foreignName(label)}=${labelText(value)}`),
    },
  ];
}

function labelText(value: unknown): string {
  return typeof value === 'string' ? foreignLabel(value) : '';
}
