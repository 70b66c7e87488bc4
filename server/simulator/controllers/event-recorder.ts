import { hour } from '#lib/domain/time/length.ts';
import { commonKinds } from '../api/kinds.ts';
import { kubeTime, objectKey } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { ObjectStore } from '../api/object-store.ts';
import { uuid } from '../objects/metadata.ts';
import type { Random } from '../random.ts';

/** An event that a controller emits about an object. */
export interface Emitted {
  readonly about: KubeObject;
  readonly component: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly annotations?: { readonly [key: string]: string } | undefined;
}

/** Records events as client-go's correlator lets them through. */
export interface EventRecorder {
  emit(event: Emitted): void;
  /** Deletes events older than an hour, as the API server does. */
  expire(): void;
}

/** An Event, as core/v1 has it. */
interface EventObject extends KubeObject {
  readonly involvedObject: Pick<KubeObject, 'apiVersion' | 'kind'> &
    Pick<KubeObject['metadata'], 'namespace' | 'name' | 'uid'> & { readonly resourceVersion: string | undefined };
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string };
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
  readonly type: Emitted['type'];
  readonly eventTime: null;
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

interface Spam {
  tokens: number;
  refilledAt: number;
}

interface Series {
  readonly name: string;
  readonly uid: string;
  readonly firstAt: number;
  count: number;
  lastAt: number;
}

interface Similar {
  readonly texts: Set<string>;
  lastAt: number;
}

const burst = 25;
const refillEvery = 300_000;
const aggregateAbove = 10;
const similarFor = 600_000;
const keptFor = hour;

/** Gives each source of events 25, then one in five minutes. */
function createSpamFilter(): (source: string, at: number) => boolean {
  const spam = new Map<string, Spam>();
  return (source, at) => {
    const entry = spam.get(source) ?? { tokens: burst, refilledAt: at };
    spam.set(source, entry);
    const refilled = Math.floor((at - entry.refilledAt) / refillEvery);
    if (refilled > 0) {
      entry.tokens = Math.min(burst, entry.tokens + refilled);
      entry.refilledAt += refilled * refillEvery;
    }
    if (entry.tokens === 0) return false;
    entry.tokens--;
    return true;
  };
}

/** Gives an event the message that it is recorded with: combined where ten similar ones went before it. */
function createAggregator() {
  const similar = new Map<string, Similar>();
  return {
    messageOf(event: Emitted, group: string, at: number): string {
      const known = similar.get(group);
      const entry = known && at - known.lastAt < similarFor ? known : { texts: new Set<string>(), lastAt: at };
      similar.set(group, entry);
      entry.lastAt = at;
      entry.texts.add(event.message);
      return entry.texts.size > aggregateAbove ? `(combined from similar events): ${event.message}` : event.message;
    },
    expire(before: number): void {
      for (const [key, entry] of similar) if (entry.lastAt < before) similar.delete(key);
    },
  };
}

/**
 * Makes the recorder of one cluster (client-go events_cache.go): equal events become one whose count rises; more than
 * ten similar ones in ten minutes become "(combined from similar events): ..."; each object has 25 events, then one in five minutes.
 */
export function createEventRecorder(store: ObjectStore, now: () => number, random: Random): EventRecorder {
  const series = new Map<string, Series>();
  const passesSpamFilter = createSpamFilter();
  const aggregator = createAggregator();

  return {
    emit(event) {
      const { about, component } = event;
      const at = now();
      const source = `${component}/${about.metadata.uid}`;
      const group = `${source}/${event.type}/${event.reason}`;
      const message = aggregator.messageOf(event, group, at);
      const key = message === event.message ? `${group}/${message}` : `${group}/combined`;
      const entry = series.get(key) ?? {
        name: `${about.metadata.name}.${random.hex(16)}`,
        uid: uuid(random),
        firstAt: at,
        count: 0,
        lastAt: at,
      };
      entry.count++;
      entry.lastAt = at;
      series.set(key, entry);
      if (passesSpamFilter(source, at)) store.put(eventObject(event, message, entry), commonKinds.event);
    },
    expire() {
      const before = now() - keptFor;
      for (const [key, entry] of series) {
        if (entry.lastAt >= before) continue;
        series.delete(key);
        for (const stored of store.store('events')?.sorted() ?? []) {
          if (stored.name === entry.name) store.remove('events', objectKey(stored.namespace, stored.name));
        }
      }
      aggregator.expire(before);
    },
  };
}

/** The Event of a series as it stands after its newest occurrence. */
function eventObject(
  { about, component, type, reason, annotations }: Emitted,
  message: string,
  { name, uid, firstAt, lastAt, count }: Series,
): EventObject {
  const { namespace } = about.metadata;
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace: namespace ?? 'default',
      uid,
      creationTimestamp: kubeTime(firstAt),
      ...(annotations ? { annotations: { ...annotations } } : {}),
    },
    involvedObject: {
      kind: about.kind,
      ...(namespace ? { namespace } : {}),
      name: about.metadata.name,
      uid: about.metadata.uid,
      apiVersion: about.apiVersion,
      resourceVersion: about.metadata.resourceVersion,
    },
    reason,
    message,
    source: { component },
    firstTimestamp: kubeTime(firstAt),
    lastTimestamp: kubeTime(lastAt),
    count,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: '',
  };
}
