import type { Observation } from '#lib/domain/observation.ts';
import type { ObjectRef, RefKey } from '#lib/domain/ref.ts';
import type { Entry } from './entry.ts';
import type { FeedBook } from './feed-book.ts';
import type { ControllerBook } from './controller-book.ts';
import type { RemoteBook } from './remote-book.ts';

/** What the surroundings of an object are read from: everything known of its cluster, and what reaches over from others. */
export interface ClusterKnowledge {
  readonly entries: ReadonlyMap<RefKey, Entry>;
  readonly feeds: FeedBook;
  readonly controllers: ControllerBook;
  readonly remotes: RemoteBook;
  /** Whether an applier of this cluster has applied an object, by its inventory. */
  lists(applier: RefKey, key: RefKey): boolean;
  /** The active package revision that runs a kind, by "plural.group". */
  providerOf(entry: Entry): RefKey | null;
  sharedErrorOf(entry: Entry): string | null;
}

/** The observation that counts: the settled one, else the newest. */
export function restingObservation(entry: Entry): Observation {
  return entry.track.settled?.observation ?? entry.track.latest;
}

/** Whether the kind of an object is read on this cluster, or should be. */
export function watched(known: ClusterKnowledge, ref: ObjectRef): boolean {
  return known.feeds.sees(ref) !== 'unwatched';
}

/**
 * What composes an object, where its kind is read here. An owner reference names no namespace: the owner lies in that of the object
 * unless its kind has none (a cluster-scoped composite may own namespaced resources).
 */
export function composerOf(known: ClusterKnowledge, observation: Observation): ObjectRef | null {
  const { parent } = observation;
  if (!parent || !watched(known, parent)) return null;
  return known.feeds.isNamespaced(parent) ? parent : { ...parent, namespace: '' };
}
