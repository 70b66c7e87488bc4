import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { type ForeignObject, numberAt, objectAt, timeAt } from '#lib/foreign.ts';
import { foreignName, longestName, messageAt, nameAt, reasonAt, wordAt } from '#lib/foreign-words.ts';
import type { ClusterEvent, ObservedEvent, FeedState, WatchedKind } from '../cluster-event.ts';
import type { GuardedDeps } from '../boundary.ts';
import { startReflector } from './reflector.ts';

export interface EventsDeps extends GuardedDeps {
  readonly resume: string | null;
  readonly on: (event: ClusterEvent) => void;
  /** Why no more may be known of the cluster; null while there is room. */
  full?(kind: GroupKind, listed: boolean): string | null;
}

/** The kind of the feed of Events, and of the bookmarks to resume from. */
export const eventKind: WatchedKind = {
  group: '',
  kind: 'Event',
  version: 'v1',
  resource: 'events',
  namespaced: true,
  categories: [],
};

const selections = [
  'involvedObject.kind=Kustomization',
  'involvedObject.kind=HelmRelease',
  'reason=UpdatedExternalResource',
  // No correction, but the first managed resource of a kind.
  'reason=CreatedExternalResource',
];

/**
 * Watches the Events of corrections, and of managed resources that were made, by field selector, as they happen: the server keeps them for an hour.
 * Listed first, so the last hour comes too; one that comes twice has the same uid and count.
 */
export function startEvents({ transport, clock, random, tuning, boundary, resume, full, on }: EventsDeps) {
  const states = new Map<string, FeedState>();
  const versions = new Map<string, string>();
  let emitted: string | null = null;

  function emit(selection: string, feed: FeedState): void {
    states.set(selection, feed);
    if (states.size < selections.length) return;
    const all = [...states.values()];
    const worst = worstFirst.flatMap((state) => all.filter((each) => each.state === state))[0] ?? feed;
    const text = JSON.stringify(worst);
    if (text === emitted) return;
    emitted = text;
    on({ type: 'feed', at: clock.now(), kind: { group: '', kind: 'Event' }, feed: worst });
  }

  /** All of them are to resume from one version: the lowest. */
  function reached(selection: string, version: string): void {
    versions.set(selection, version);
    if (versions.size < selections.length) return;
    const lowest = [...versions.values()].reduce((low, each) => (isLower(each, low) ? each : low));
    on({ type: 'bookmark', at: clock.now(), kind: eventKind, resourceVersion: lowest });
  }

  function take(selection: string, event: ClusterEvent): void {
    switch (event.type) {
      case 'feed':
        return emit(selection, event.feed);
      case 'applied': {
        const read = readEvent(event.object);
        if (read) on({ type: 'event', at: event.at, event: read });
        const version = nameAt(event.object, 'metadata', 'resourceVersion');
        if (!event.initial && version) reached(selection, version);
        return;
      }
      case 'sync-end':
      case 'bookmark':
        return reached(selection, event.resourceVersion);
      default:
        return;
    }
  }

  const reflectors = selections.map((selection) =>
    startReflector({
      kind: eventKind,
      selector: `fieldSelector=${encodeURIComponent(selection)}`,
      // Events bypass the API server's watch cache.
      bookmarks: false,
      watchList: { supported: false },
      transport,
      clock,
      random,
      tuning,
      boundary,
      resume,
      ...(full && { full }),
      on: (event) => take(selection, event),
    }),
  );
  return {
    async stop(): Promise<void> {
      await Promise.all(reflectors.map((reflector) => reflector.stop()));
    },
  };
}

const worstFirst: readonly FeedState['state'][] = [
  'forbidden',
  'failed',
  'absent',
  'silent',
  'syncing',
  'live',
  'idle',
];

/** resourceVersions are decimal numbers (KEP-5504); where one is not, nothing is lower. */
function isLower(a: string, b: string): boolean {
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}

/** Namespaces in which Events of what has none lie: Kubernetes takes them nowhere else. */
const ofNoNamespace: readonly (string | null)[] = ['default', 'kube-system'];

/**
 * True if an Event lies where those of its object do. An API server demands that of the older form alone: of one with an `eventTime`, whoever may write in
 * any namespace may say what he likes of an object in another (Kubernetes, pkg/apis/core/validation/events.go, legacyValidateEvent).
 */
function isOfItsObject(object: ForeignObject, about: string): boolean {
  const namespace = nameAt(object, 'metadata', 'namespace');
  return about === '' ? ofNoNamespace.includes(namespace) : namespace === about;
}

/** A core/v1 Event, written by either recorder (core/v1 or events.k8s.io/v1); null where it names no object, or one that is none of its namespace. */
export function readEvent(object: ForeignObject): ObservedEvent | null {
  const uid = nameAt(object, 'metadata', 'uid');
  const kind = nameAt(object, 'involvedObject', 'kind');
  const name = nameAt(object, 'involvedObject', 'name');
  if (uid === null || kind === null || name === null) return null;
  const namespace = nameAt(object, 'involvedObject', 'namespace') ?? '';
  if (!isOfItsObject(object, namespace)) return null;
  const apiVersion = nameAt(object, 'involvedObject', 'apiVersion') ?? '';
  const firstAt =
    timeAt(object, 'firstTimestamp') ?? timeAt(object, 'eventTime') ?? timeAt(object, 'metadata', 'creationTimestamp');
  return {
    uid,
    about: {
      group: apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '',
      kind,
      namespace,
      name,
    },
    type: reasonAt(object, 'type') ?? '',
    reason: reasonAt(object, 'reason') ?? '',
    message: messageAt(object, 'message') ?? '',
    count: numberAt(object, 'series', 'count') ?? numberAt(object, 'count') ?? 1,
    firstAt,
    lastAt:
      timeAt(object, 'series', 'lastObservedTime') ??
      timeAt(object, 'lastTimestamp') ??
      timeAt(object, 'eventTime') ??
      firstAt,
    annotations: annotationsOf(object),
    component: nameAt(object, 'reportingComponent') || (nameAt(object, 'source', 'component') ?? ''),
  };
}

/** So many annotations of an Event at most. */
const annotationsAtMost = 32;

/** Only Flux's own (revision, checksum): anything else may hold what must not be stored. */
function annotationsOf(object: ForeignObject): { readonly [key: string]: string } {
  const kept: { [key: string]: string } = {};
  const annotations = objectAt(object, 'metadata', 'annotations');
  for (const key of Object.keys(annotations)) {
    if (Object.keys(kept).length === annotationsAtMost) break;
    const flux = key.length <= longestName && key.slice(0, key.indexOf('/')).endsWith('.toolkit.fluxcd.io');
    const value = wordAt(annotations, key);
    if (flux && !key.endsWith('/token') && value !== null) kept[foreignName(key)] = value;
  }
  return kept;
}
