import { isPartOf } from '#lib/domain/chain/part-of.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Entry } from '../objects/entry.ts';
import type { FeedTracker } from '../feeds/feed-tracker.ts';
import type { ControllerIndex } from '../controllers/controller-index.ts';
import type { RemoteApplierIndex } from '../remote/remote-applier-index.ts';

/** Knowledge that the surroundings of an object are read from: everything known of its cluster, and what reaches over from others. */
export interface ClusterKnowledge {
  readonly entries: ReadonlyMap<RefKey, Entry>;
  readonly feeds: FeedTracker;
  readonly controllers: ControllerIndex;
  readonly remotes: RemoteApplierIndex;
  /** True if an applier of this cluster has applied an object, by its inventory. */
  lists(applier: RefKey, key: RefKey): boolean;
  /** The active package revision that runs a kind, by "plural.group". */
  providerOf(entry: Entry): RefKey | null;
  sharedErrorOf(entry: Entry): string | null;
}

/** The part of it that tells who delivers an object. */
export type DeliveryKnowledge = Pick<ClusterKnowledge, 'entries' | 'feeds' | 'remotes' | 'lists'>;

/** The observation that counts: the settled one, else the newest. */
export function effectiveObservation(entry: Entry): Observation {
  return entry.state.track.settled?.observation ?? entry.state.track.latest;
}

/**
 * The observation that counts, with the inventory of the newest: that is written once all is applied, and whether it works may take the
 * applier long to find out.
 */
export function listingObservation(entry: Entry): Observation {
  const counting = effectiveObservation(entry);
  const { inventory, remote } = entry.state.track.latest;
  return counting.inventory === inventory && counting.remote === remote ? counting : { ...counting, inventory, remote };
}

/** True if the kind of an object is read on this cluster, or should be. */
export function watched(known: Pick<ClusterKnowledge, 'feeds'>, ref: ObjectRef): boolean {
  return known.feeds.sees(ref) !== 'unwatched';
}

/**
 * The composer that an object names, where its kind is read here. An owner reference names no namespace: the owner lies in that of the object
 * unless its kind has none (a cluster-scoped composite may own namespaced resources).
 */
export function namedComposer(known: Pick<ClusterKnowledge, 'feeds'>, observation: Observation): ObjectRef | null {
  const { parent } = observation;
  if (!parent || !watched(known, parent)) return null;
  return known.feeds.isNamespaced(parent) ? parent : { ...parent, namespace: '' };
}

/**
 * Composer of an object that is read here, and of which both say so (`isPartOf`). One that is only named bears on nothing, whether it is there or not: whoever
 * writes an object may name any, and would be told of what he may not see.
 */
export function composerOf(known: Pick<ClusterKnowledge, 'entries' | 'feeds'>, entry: Entry): Entry | null {
  const named = namedComposer(known, effectiveObservation(entry));
  const composer = named && known.entries.get(refKey(named));
  return composer && belongsTo(entry, composer) ? composer : null;
}

/** True if an entry is a part of another, as both say in their newest words. */
export function belongsTo(part: Entry, whole: Entry): boolean {
  return isPartOf(part.state.track.latest, whole.state.track.latest);
}
