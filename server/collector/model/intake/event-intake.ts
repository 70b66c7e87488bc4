import { type GroupKind, type RefKey, kindKey } from '#lib/domain/observation/ref.ts';
import { nameAt } from '#lib/foreign-words.ts';
import type { ClusterEvent } from '../../clusters/cluster-event.ts';
import { noteCorrection } from '../claims/corrections.ts';
import type { ModelParts } from '../model-parts.ts';
import { keyIn, keyOfForeign } from '../objects/object-graph.ts';
import type { ControllerIntake } from './controller-intake.ts';
import type { ObjectIntake } from './object-intake.ts';
import { withoutMessages, withoutWords } from './reasons-only.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { observe } from '../../reconcilers/registry.ts';
import type { ClusterTime } from '../judging/cluster-time.ts';
import type { Entry } from '../objects/entry.ts';
import { parseInventoryId } from '#lib/domain/observation/inventory.ts';
import type { FeedTracker } from '../feeds/feed-tracker.ts';

type EventOf<T extends ClusterEvent['type']> = Extract<ClusterEvent, { readonly type: T }>;

/** Where events go on to. `named`: something names objects of kinds that are only looked at, or not known yet. */
interface EventIntakeDeps {
  readonly objects: ObjectIntake;
  readonly controllers: ControllerIntake;
  readonly keepMessages: boolean;
  readonly named: (kinds: readonly GroupKind[]) => void;
}

function takeKinds({ graph, gate }: ModelParts, { kinds }: EventOf<'kinds'>, changed: boolean): void {
  graph.nameResources(kinds);
  // A kind that appears is sought in the inventories that were read before.
  if (changed && gate.isOpen()) graph.relinkListing();
}

function takeVersion({ changes, vouching }: ModelParts, { version, at }: EventOf<'connected'>): void {
  if (changes.kubernetes(version, at)) vouching.changed();
}

/** Takes what a session tells of its cluster, event by event, in order. */
export function createEventIntake(parts: ModelParts, deps: EventIntakeDeps): (event: ClusterEvent) => void {
  const { cluster, time, feeds, graph, changes, gate, vouching, queue } = parts;
  const { objects, controllers, named } = deps;
  const reading = { cluster, keepMessages: deps.keepMessages, time, entries: graph.entries };

  function takeObject(event: EventOf<'applied'>): void {
    const observation = readObject(reading, event);
    if (!observation) return;
    const expected = expectedKinds(observation, feeds);
    if (expected.length > 0) named(expected);
    objects.apply(observation, event.at, event.initial);
  }

  function takeDeleted({ kind, object, at }: EventOf<'deleted'>): void {
    const key = keyOfForeign(cluster, kind, object);
    if (key !== null) objects.drop(key, at, true);
  }

  function takeEvent({ event: received, at }: EventOf<'event'>): void {
    const event = deps.keepMessages ? received : withoutWords(received);
    if (feeds.isProbed(event.about)) named([event.about]);
    const entry = graph.entries.get(keyIn(cluster, event.about));
    if (entry && noteCorrection(entry, event, at, parts)) queue.add([entry.key]);
  }

  const ofKind = createKindIntake(parts, objects, takeObject, takeDeleted);

  function route(event: ClusterEvent, changed: boolean): void {
    switch (event.type) {
      case 'kinds':
        return takeKinds(parts, event, changed);
      case 'sync-start':
      case 'applied':
      case 'deleted':
      case 'sync-end':
      case 'bookmark':
        return ofKind.take(event);
      case 'leases':
      case 'deployments':
      case 'argo':
        return controllers.take(event);
      case 'searched':
        return controllers.searched(event);
      case 'event':
        return takeEvent(event);
      case 'feed':
        return event.feed.state === 'absent' ? ofKind.drop(event) : undefined;
      case 'connected':
        return takeVersion(parts, event);
      case 'clock':
        return vouching.changed();
      case 'disconnected':
      case 'probes':
      case 'alive':
      case 'no-cluster':
        return;
    }
  }

  return (received) => {
    const event = time.take(received);
    changes.receive(event);
    const changed = feeds.take(event);
    if (changed) {
      vouching.changed();
      // Kinds come into step one by one, up to thousands of them: each concerns only what has to do with it.
      if (gate.isOpen()) queue.add(event.type === 'feed' ? graph.concernedByKind(event.kind) : graph.entries.keys());
    }
    controllers.doubt(event.at);
    route(event, changed);
  };
}

/** Takes the objects of each kind: those that are judged, and those that only say who is called. */
function createKindIntake(
  { alarming, resume }: ModelParts,
  objects: ObjectIntake,
  takeObject: (event: EventOf<'applied'>) => void,
  takeDeleted: (event: EventOf<'deleted'>) => void,
) {
  return {
    take(event: EventOf<'sync-start' | 'applied' | 'deleted' | 'sync-end' | 'bookmark'>): void {
      if (alarming.take(event)) return;
      switch (event.type) {
        case 'sync-start':
          return objects.beginList(event.kind);
        case 'applied':
          return takeObject(event);
        case 'deleted':
          return takeDeleted(event);
        case 'sync-end':
          return objects.endList(event.kind, event.resourceVersion, event.at);
        case 'bookmark':
          return resume.note(event.kind, event.resourceVersion);
      }
    },
    drop({ kind, at }: EventOf<'feed'>): void {
      alarming.dropKind(kind);
      objects.dropKind(kind, at);
    },
  };
}

/** Reading of the objects of one cluster. */
interface Reading {
  readonly cluster: string;
  readonly keepMessages: boolean;
  readonly time: ClusterTime;
  readonly entries: ReadonlyMap<RefKey, Entry>;
}

/** Observation of an object that was heard of, on our clock; null where its kind is none that is read. */
function readObject(
  { cluster, keepMessages, time, entries }: Reading,
  { kind, object, at, initial }: Extract<ClusterEvent, { readonly type: 'applied' }>,
): Observation | null {
  const key = initial ? null : keyOfForeign(cluster, kind, object);
  const known = key === null ? null : (entries.get(key)?.state.track.latest ?? null);
  const before = known?.uid === nameAt(object, 'metadata', 'uid') ? known : null;
  const received = observe(kind, object, { cluster, receivedAt: at, before });
  const observation = received && time.ours(received);
  return observation === null || keepMessages ? observation : withoutMessages(observation);
}

/**
 * Kinds of which an object says that there is one, or soon will be, and that are not watched: the parts of a composite, the
 * composite of a claim, what is in an inventory. Kinds that nobody serves count only where Plumbline would read them: an inventory
 * holds many that it never will.
 */
export function expectedKinds(
  { ref, children, inventory, remote }: Observation,
  feeds: Pick<FeedTracker, 'isProbed' | 'knows'>,
): readonly GroupKind[] {
  const found = new Map<string, GroupKind>();
  for (const child of children)
    if (child.cluster === ref.cluster && feeds.isProbed(child)) found.set(kindKey(child), child);
  if (remote) return [...found.values()];
  for (const id of inventory) {
    const item = parseInventoryId(id);
    if (item && feeds.knows(item) && feeds.isProbed(item)) found.set(kindKey(item), item);
  }
  return [...found.values()];
}
