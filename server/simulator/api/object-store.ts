import { compareText } from '#lib/domain/observation/compare-text.ts';
import { apiVersion, groupResource } from './kinds.ts';
import type { GroupResource, ServedKind } from './kinds.ts';
import { objectKey } from './kube-object.ts';
import type { KubeObject, ObjectKey } from './kube-object.ts';

/** One written state of one object; never changed after it was written. */
export interface StoredObject {
  readonly key: ObjectKey;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: number;
  /** The whole object as JSON; a kept buffer, or rendered from a template each time. */
  json(): Buffer;
}

/** A write as watchers see it. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resourceVersion: number;
  readonly object: StoredObject;
  /** The line of a watch, made once and shared by every watcher. */
  line(): Buffer;
}

/** An object that is made of a template when it is read. Equal arguments give equal bytes. */
export interface Template {
  namespace(index: number): string;
  name(index: number): string;
  render(index: number, resourceVersion: number, revision: number): Buffer;
}

/** The objects of one kind on one cluster. */
export interface KindStore {
  readonly kind: ServedKind;
  readonly size: number;
  get(key: ObjectKey): StoredObject | undefined;
  /** All objects in the order in which the API server lists them. Not to be changed by the caller. */
  sorted(): readonly StoredObject[];
  /** Events after `resourceVersion`, oldest first; null where some of them are gone already. */
  since(resourceVersion: number): readonly StoreEvent[] | null;
  watch(listener: (event: StoreEvent) => void): () => void;
}

/** Everything one cluster's etcd holds. Each write gets the next resourceVersion of the cluster. */
export interface ObjectStore {
  readonly resourceVersion: number;
  kinds(): readonly ServedKind[];
  addKind(kind: ServedKind): void;
  /** Takes a kind away as deleting its CRD does: first each of its objects, then the watches end (`onKindRemoved`). */
  removeKind(kind: GroupResource): void;
  onKindRemoved(listener: (kind: GroupResource) => void): void;
  store(kind: GroupResource): KindStore | undefined;
  /** Creates or replaces. Sets metadata.resourceVersion of the object that is passed. */
  put(object: KubeObject, kind: ServedKind): StoredObject;
  remove(kind: GroupResource, key: ObjectKey): void;
  /** Objects 0 to `count`-1 of a template, written without events. */
  fill(kind: ServedKind, template: Template, count: number): void;
  /** Writes object `index` of a template anew; `revision` is handed to the template. */
  touch(kind: GroupResource, template: Template, index: number, revision: number): void;
  /** Drops the event window: every watch that resumes from before now gets 410. */
  compact(kind?: GroupResource): void;
}

interface MutableKindStore extends KindStore {
  write(object: StoredObject): void;
  preload(object: StoredObject): void;
  remove(key: ObjectKey, resourceVersion: number): void;
  compact(resourceVersion: number): void;
}

function eventOf(type: StoreEvent['type'], object: StoredObject): StoreEvent {
  let line: Buffer | null = null;
  return {
    type,
    resourceVersion: object.resourceVersion,
    object,
    line() {
      line ??= Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object.json(), Buffer.from('}\n')]);
      return line;
    },
  };
}

function createKindStore(kind: ServedKind, window: number, from: number): MutableKindStore {
  const objects = new Map<ObjectKey, StoredObject>();
  const listeners = new Set<(event: StoreEvent) => void>();
  let order: readonly StoredObject[] | null = null;
  let events: StoreEvent[] = [];
  let droppedUpTo = from;

  function publish(event: StoreEvent): void {
    order = null;
    events.push(event);
    if (events.length > window * 2) {
      const dropped = events.splice(0, events.length - window);
      droppedUpTo = dropped.at(-1)?.resourceVersion ?? droppedUpTo;
    }
    for (const listener of listeners) listener(event);
  }

  return {
    kind,
    get size() {
      return objects.size;
    },
    get: (key) => objects.get(key),
    sorted() {
      order ??= [...objects.values()].sort((a, b) => compareText(a.key, b.key));
      return order;
    },
    since(resourceVersion) {
      if (resourceVersion < droppedUpTo) return null;
      return events.filter((event) => event.resourceVersion > resourceVersion);
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    preload(object) {
      order = null;
      objects.set(object.key, object);
    },
    write(object) {
      const type = objects.has(object.key) ? 'MODIFIED' : 'ADDED';
      objects.set(object.key, object);
      publish(eventOf(type, object));
    },
    remove(key, resourceVersion) {
      const last = objects.get(key);
      if (!last) return;
      objects.delete(key);
      // A DELETED event shows the last state at the version of the deletion.
      const text = last
        .json()
        .toString()
        .replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${resourceVersion}"`);
      const json = Buffer.from(text);
      publish(eventOf('DELETED', { ...last, resourceVersion, json: () => json }));
    },
    compact(resourceVersion) {
      events = [];
      droppedUpTo = resourceVersion;
    },
  };
}

/**
 * Makes an empty store that serves `kinds` and keeps up to `window` events per kind for watches that resume. Versions start at
 * `from`, as on a cluster with a past.
 */
export function createObjectStore(kinds: readonly ServedKind[], window: number, from = 1000): ObjectStore {
  const stores = new Map<GroupResource, MutableKindStore>();
  const removed: ((kind: GroupResource) => void)[] = [];
  let resourceVersion = from;

  function storeOf(kind: ServedKind): MutableKindStore {
    const name = groupResource(kind);
    const known = stores.get(name);
    if (known) return known;
    const made = createKindStore(kind, window, resourceVersion);
    stores.set(name, made);
    return made;
  }

  function fromTemplate(template: Template, index: number, revision: number): StoredObject {
    const version = ++resourceVersion;
    const namespace = template.namespace(index);
    const name = template.name(index);
    return {
      key: objectKey(namespace, name),
      namespace,
      name,
      resourceVersion: version,
      json: () => template.render(index, version, revision),
    };
  }

  for (const kind of kinds) storeOf(kind);

  return {
    get resourceVersion() {
      return resourceVersion;
    },
    kinds: () => [...stores.values()].map((store) => store.kind),
    addKind: (kind) => void storeOf(kind),
    removeKind(kind) {
      const store = stores.get(kind);
      if (!store) return;
      for (const { key } of store.sorted()) store.remove(key, ++resourceVersion);
      stores.delete(kind);
      resourceVersion++;
      for (const listener of removed) listener(kind);
    },
    onKindRemoved: (listener) => void removed.push(listener),
    store: (kind) => stores.get(kind),
    put(object, kind) {
      const version = ++resourceVersion;
      object.metadata.resourceVersion = String(version);
      const json = Buffer.from(JSON.stringify({ ...object, apiVersion: apiVersion(kind), kind: kind.kind }));
      const namespace = object.metadata.namespace ?? '';
      const name = object.metadata.name;
      const stored = { key: objectKey(namespace, name), namespace, name, resourceVersion: version, json: () => json };
      storeOf(kind).write(stored);
      return stored;
    },
    remove: (kind, key) => stores.get(kind)?.remove(key, ++resourceVersion),
    fill(kind, template, count) {
      const store = storeOf(kind);
      for (let index = 0; index < count; index++) store.preload(fromTemplate(template, index, 0));
      store.compact(resourceVersion);
    },
    touch: (kind, template, index, revision) => stores.get(kind)?.write(fromTemplate(template, index, revision)),
    compact(kind) {
      for (const [name, store] of stores) if (kind === undefined || kind === name) store.compact(resourceVersion);
    },
  };
}
