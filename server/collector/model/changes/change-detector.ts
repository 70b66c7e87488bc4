// What was changed on one cluster, found by comparing what is known now with what was known before.
import { mayBeSince, noLaterThan } from '#lib/domain/time/api-time.ts';
import type { ChangeFact, NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentCluster, CurrentController } from '#lib/domain/record/current.ts';
import type { GroupKind, ObjectRef } from '#lib/domain/observation/ref.ts';
import { boundedMap } from '#server/runtime/bounded-map.ts';
import type { ClusterEvent } from '../../clusters/cluster-event.ts';
import { createClusterChanges } from './cluster-changes.ts';
import type { Entry } from '../objects/entry.ts';
import { objectChanges, type Dated, type Received } from './object-changes.ts';
import { createPackageChanges } from './package-changes.ts';
import { createLastSeen, type LastSeen } from './last-seen.ts';
import { effectiveObservation } from '../judging/knowledge.ts';

/** Parts of the detector. `note` takes each change once. */
export interface ChangeDetectorDeps {
  readonly cluster: string;
  readonly restored: CurrentCluster | null;
  readonly note: (change: NotedChange) => void;
}

/** Of so many lists it is known when they came: a cluster may name other namespaces each time. */
const mostLists = 1_000;

/** Finds what is changed on one cluster. All times in ms since the epoch. */
export type ChangeDetector = ReturnType<typeof createChangeDetector>;

function lostBefore(lastSeen: LastSeen, kind: GroupKind, at: number): number {
  return lastSeen.lost(kind) ?? lastSeen.clusterLost() ?? at;
}

/** Hearing of an entry: what came in a list, or as a stream catches up, was written at any time since its kind was lost from sight. */
function receivedOf(lastSeen: LastSeen, entry: Entry): Received {
  const at = entry.state.track.latestAt;
  const late = entry.state.receivedInList || lastSeen.catchesUp(entry.ref, at);
  return { at, notBefore: late ? lostBefore(lastSeen, entry.ref, at) : at };
}

/** It was made while its kind was followed, or since it was lost from sight; else it was merely seen for the first time. */
function isNew(lastSeen: LastSeen, entry: Entry, createdAt: number): boolean {
  if (!entry.state.initial) return true;
  const lost = lastSeen.lost(entry.ref);
  return lost !== null && mayBeSince(createdAt, lost);
}

/** Starts with nothing noted but what the store remembers. */
export function createChangeDetector({ cluster, restored, note }: ChangeDetectorDeps) {
  const lastSeen = createLastSeen(restored);
  const known = createClusterChanges(restored);
  const packages = createPackageChanges();
  const readAt = boundedMap<string, number>(mostLists);

  function add(ref: ObjectRef | null, { at, notBefore, fact }: Dated, noticedAt: number): void {
    note({ cluster, ref, at, notBefore: Math.min(notBefore, at), noticedAt, fact });
  }

  function addAll(facts: readonly ChangeFact[], at: number, notBefore: number): boolean {
    for (const fact of facts) add(null, { at, notBefore, fact }, at);
    return facts.length > 0;
  }

  function meet(entry: Entry, now: number): void {
    const { latest } = entry.state.track;
    if (!isNew(lastSeen, entry, latest.createdAt)) return packages.seen(latest);
    const at = noLaterThan(latest.createdAt, now);
    add(entry.ref, { at, notBefore: at, fact: { type: 'created' } }, now);
    activate(entry, now);
  }

  function activate(entry: Entry, now: number): void {
    const fact = packages.now(entry.state.track.latest);
    if (fact) add(null, { ...receivedOf(lastSeen, entry), fact }, now);
  }

  return {
    /** Takes an event before anybody else does: it may tell that something was lost from sight. */
    receive: (event: ClusterEvent): void => lastSeen.take(event),
    /** An object as the store remembers it. */
    restored(entry: Entry): void {
      packages.seen(effectiveObservation(entry));
    },
    /** Compares an object with what was noted of it; tells whether anything was changed, and its record must be written anew. */
    compare(entry: Entry, now: number): boolean {
      const { latest } = entry.state.track;
      const before = entry.state.noted;
      if (before === latest) return false;
      entry.change({ noted: latest });
      if (before === null) {
        meet(entry, now);
        return true;
      }
      activate(entry, now);
      const found = objectChanges(before, latest, receivedOf(lastSeen, entry));
      for (const change of found) add(entry.ref, change, now);
      return found.length > 0;
    },
    /** The last moment (ms) at which objects of a kind were surely there that are found to be gone at `at`. */
    thereUntil: (kind: GroupKind, at: number): number => lostBefore(lastSeen, kind, at),
    /** An object is gone; `watched` where its end itself was seen, else it may be told until when it was there (ms). */
    gone(entry: Entry, at: number, watched: boolean, thereUntil: number | null = null): void {
      packages.gone(entry.state.track.latest);
      if (!entry.state.published) return;
      const late = !watched || lastSeen.catchesUp(entry.ref, at);
      const notBefore = late ? (thereUntil ?? lostBefore(lastSeen, entry.ref, at)) : at;
      add(entry.ref, { at, notBefore, fact: { type: 'deleted' } }, at);
    },
    /** The controllers as they are known after a list of a namespace; tells whether anything was changed. */
    controllers(
      now: readonly CurrentController[],
      list: 'leases' | 'deployments' | 'argo',
      namespace: string,
      at: number,
    ): boolean {
      const id = `${list} ${namespace}`;
      const former = readAt.get(id) ?? lastSeen.clusterLost() ?? at;
      readAt.set(id, at);
      return addAll(known.controllers(now), at, former);
    },
    /** The version that the API server told as it was connected to; tells whether it was changed. */
    kubernetes: (version: string | null, at: number): boolean =>
      addAll(known.kubernetes(version), at, lastSeen.clusterLost() ?? at),
  };
}
