import type { Observation } from '#lib/domain/observation/observation.ts';
import { parseForeign, textAt, type ForeignObject } from '#lib/foreign.ts';
import type { ObservedEvent, WatchedKind } from '../clusters/cluster-event.ts';
import { observe } from './registry.ts';

/** The kind of an object as discovery would tell it. */
export function watchedKind(object: ForeignObject, categories: readonly string[] = []): WatchedKind {
  const [group = '', version = ''] = (textAt(object, 'apiVersion') ?? '').split('/');
  const kind = textAt(object, 'kind') ?? '';
  const namespaced = textAt(object, 'metadata', 'namespace') !== null;
  return { group, version, kind, resource: `${kind.toLowerCase()}s`, namespaced, categories };
}

/** An object through the registry, for tests; fails where no adapter reads its kind. */
export function observed(
  object: unknown,
  categories: readonly string[] = [],
  receivedAt = 0,
  before: Observation | null = null,
): Observation {
  // Through JSON, as the wire would bring it.
  const foreign = parseForeign(JSON.stringify(object));
  if (foreign === null) throw new Error('the object is none');
  const kind = watchedKind(foreign, categories);
  const observation = observe(kind, foreign, { cluster: 'test', receivedAt, before });
  if (observation === null) throw new Error(`no adapter reads ${textAt(foreign, 'kind')}`);
  return observation;
}

/** An event about something, for tests. */
export function observedEvent(part: Partial<ObservedEvent>): ObservedEvent {
  return {
    uid: 'event-1',
    about: { group: '', kind: '', namespace: '', name: '' },
    type: 'Normal',
    reason: '',
    message: '',
    count: 1,
    firstAt: null,
    lastAt: null,
    annotations: {},
    component: '',
    ...part,
  };
}
