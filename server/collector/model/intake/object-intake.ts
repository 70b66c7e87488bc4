import type { Observation } from '#lib/domain/observation/observation.ts';
import { type GroupKind, kindKey, refKey, type RefKey, sameRef } from '#lib/domain/observation/ref.ts';
import { begin, receive } from '#lib/domain/observation/track.ts';
import type { DeclaredStack } from '#server/config/declared-stack.ts';
import type { StoredClusterState } from '#server/store/port/port.ts';
import type { WatchedKind } from '../../clusters/cluster-event.ts';
import { noteCorrection } from '../claims/corrections.ts';
import type { ModelParts } from '../model-parts.ts';
import type { Load } from '../objects/object-graph.ts';
import { declaredObservation, watchedStacks } from '../objects/declared.ts';
import { newEntry } from '../objects/packed-entry.ts';
import { restoreEntry } from '../objects/entry-memory.ts';
import type { Entry } from '../objects/entry.ts';
import type { UnpackedCache } from '../objects/unpacked-cache.ts';
import { stateWeight, weightOf } from '../objects/weight.ts';
import type { Settling } from './settling.ts';

/** Takes the objects of one cluster as they come, change and go. Times in ms. */
export type ObjectIntake = ReturnType<typeof createObjectIntake>;

/** Takes the owner of an object that was kept before owners were read, and says nothing new; false where it has none, or has it already. */
function takeOwner(entry: Entry, { ownerUid }: Observation): boolean {
  const { track } = entry.state;
  const { latest, settled } = track;
  if (ownerUid === undefined || latest.ownerUid === ownerUid) return false;
  entry.change({
    // Its record is written anew, that no restart reads it again.
    shape: '',
    track: {
      ...track,
      latest: { ...latest, ownerUid },
      settled: settled && { ...settled, observation: { ...settled.observation, ownerUid } },
    },
  });
  return true;
}

/** Takes another version of an object that is known. */
function update(
  entry: Entry,
  observation: Observation,
  { conflicts, graph }: ModelParts,
  settling: Settling,
  { at, initial }: { readonly at: number; readonly initial: boolean },
): void {
  if (entry.state.track.latest.resourceVersion === observation.resourceVersion) {
    if (takeOwner(entry, observation)) settling.written(entry);
    return;
  }
  conflicts.move(entry.state.track.latest, observation);
  graph.weigh(entry, stateWeight(observation, entry.state));
  const { latest, settled } = entry.state.track;
  const { deliveredBy } = observation;
  if (deliveredBy && !sameRef(deliveredBy, latest.deliveredBy)) entry.relabelledAt = at;
  entry.change({ track: receive(entry.state.track, observation, at) });
  // The next write can be what settles the one before: drift that is undone within a second is told by that one alone.
  if (entry.state.track.settled !== settled) noteCorrection(entry, null, at, { conflicts, graph });
  entry.change({ receivedInList: initial });
  if (initial) settling.settle(entry, Number.POSITIVE_INFINITY, at);
  settling.written(entry);
}

/** Starts without a list under way. */
export function createObjectIntake(parts: ModelParts, settling: Settling, unpackedCache: UnpackedCache) {
  const { graph, conflicts, resume, queue, leaving } = parts;
  const listed = new Map<string, { readonly keys: Set<RefKey>; bytes: number }>();

  function noteListed(observation: Observation, key: RefKey): void {
    const named = listed.get(kindKey(observation.ref));
    if (!named || named.keys.has(key)) return;
    named.keys.add(key);
    named.bytes += weightOf(observation);
  }

  return {
    /** A list of a kind begins: what it does not name by its end is gone. */
    beginList: (kind: GroupKind): void => void listed.set(kindKey(kind), { keys: new Set(), bytes: 0 }),
    /** It ended, and a watch may go on from this resourceVersion. */
    endList(kind: WatchedKind, resourceVersion: string, at: number): void {
      const named = listed.get(kindKey(kind));
      listed.delete(kindKey(kind));
      if (named)
        leaving.all(
          kind,
          graph.ofKind(kind).filter((key) => !named.keys.has(key)),
          at,
        );
      resume.note(kind, resourceVersion);
    },
    /** An object as it is said to be; `initial` where it came in a list. */
    apply(observation: Observation, at: number, initial: boolean): void {
      const key = refKey(observation.ref);
      noteListed(observation, key);
      const found = graph.entries.get(key);
      if (found?.state.track.latest.uid === observation.uid)
        return update(found, observation, parts, settling, { at, initial });
      if (found) leaving.one(key, at, !initial);
      leaving.finish(key);
      const entry = newEntry(observation.ref, begin(observation, at, initial), initial, unpackedCache);
      graph.keep(entry);
      conflicts.move(null, observation);
      settling.written(entry);
      queue.addConcerned(key);
    },
    /** The load of the cluster as it will be: of a kind that is being listed (null for none) only what was named counts. */
    load(kind: GroupKind | null): Load {
      const all = graph.load();
      const named = kind === null ? undefined : listed.get(kindKey(kind));
      if (kind === null || !named) return all;
      const before = graph.load(kind);
      return {
        objects: all.objects - before.objects + named.keys.size,
        bytes: all.bytes - before.bytes + named.bytes,
      };
    },
    /** An object is gone; `watched` where its end itself was seen. */
    drop: leaving.one,
    /** A kind is not served any more, and has taken its objects with it. */
    dropKind(kind: GroupKind, at: number): void {
      leaving.all(kind, graph.ofKind(kind), at);
    },
  };
}

/** Takes up what the store remembers. */
export function restoreObjects(
  { graph, changes, conflicts }: ModelParts,
  { objects }: StoredClusterState,
  unpackedCache: UnpackedCache,
): void {
  for (const { object, detail } of objects) {
    const entry = restoreEntry(object, detail, unpackedCache);
    if (!entry) continue;
    graph.keep(entry);
    changes.restored(entry);
    conflicts.move(null, entry.state.track.latest);
    conflicts.noteCorrections(entry.key, entry.state.corrections);
  }
}

/** Takes up what is declared, judged at once and for good: nothing of it is read from a cluster. */
export function declareStacks(
  { graph, queue }: ModelParts,
  intake: ObjectIntake,
  stacks: readonly DeclaredStack[],
  at: number,
): void {
  const declared = stacks.map((stack) => declaredObservation(stack, at));
  const keys = new Set(declared.map(({ ref }) => refKey(ref)));
  for (const observation of declared) intake.apply(observation, at, true);
  for (const key of graph.ofKind(watchedStacks)) if (!keys.has(key)) intake.drop(key, at, false);
  queue.judgeLate(keys, at);
}
