import { inventoryId } from '#lib/domain/observation/inventory.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { RelatedObject } from '#lib/domain/verdict/subject.ts';

/** The git commit behind something, and the repository that it lives in (without user information); null where not known. */
export interface Origin {
  readonly commit: string | null;
  readonly repository: string | null;
}

/** An applier that reaches over to another cluster (spec.kubeConfig), as the model of its own cluster knows it. */
export interface RemoteApplier {
  readonly ref: ObjectRef;
  /** Ids of what it has applied; of which cluster they are, nobody tells. */
  readonly inventory: ReadonlySet<string>;
  readonly related: RelatedObject;
  /** The commit that it has applied. */
  readonly origin: Origin;
}

/**
 * Appliers that reach over from one cluster to another, of all clusters that this process reads. It only holds what was told: no model
 * waits for another, and what another collector reads is not in it.
 */
export type RemoteApplierIndex = ReturnType<typeof createRemoteApplierIndex>;

/** Kind, namespace and name: what owner labels tell of an applier. */
function labelKey(ref: ObjectRef): RefKey {
  return refKey({ ...ref, cluster: '' });
}

/** Listeners that are called before everybody else gets a turn: each call takes some microseconds. */
const callsATurn = 20_000;

/**
 * Tells listeners at once, as long as that is not too much for one turn; the rest waits for the next ones, whatever is published of the
 * same name in between once. A cluster that reaches over by fifty thousand appliers would stop all others for seconds each time that it is lost.
 */
function createNews(listeners: ReadonlySet<(ref: ObjectRef) => void>) {
  const waiting = new Map<RefKey, ObjectRef>();
  let calls = 0;
  let isSet = false;

  function tell(ref: ObjectRef): void {
    calls += 1 + listeners.size;
    for (const listener of listeners) listener(ref);
  }

  function nextTurn(): void {
    if (isSet) return;
    isSet = true;
    setImmediate(() => {
      [calls, isSet] = [0, false];
      for (const [key, ref] of waiting) {
        if (calls >= callsATurn) return nextTurn();
        waiting.delete(key);
        tell(ref);
      }
    });
  }

  return (key: RefKey, ref: ObjectRef): void => {
    if (waiting.size === 0 && calls < callsATurn) tell(ref);
    else waiting.set(key, ref);
    nextTurn();
  };
}

const nobody = { appliers: [], contested: false } as const;

/** The objects of one cluster, as the index of all asks for them. */
export interface Bearer {
  /** The uid of an object that carries the labels of an applier of that name; null where there is none. */
  uidOf(applier: ObjectRef, object: ObjectRef): string | null;
  /** Hears that an object elsewhere is called alike, and carries the same labels: that which of them is delivered has to be asked anew. */
  contest(object: ObjectRef): void;
}

/** An applier, with the objects that could be what it lists: their uids by cluster, by the ids of its inventory. */
interface Known {
  readonly applier: RemoteApplier;
  readonly takers: Map<string, Map<string, string>>;
}

/**
 * Tells whether an object is the only one that an applier could mean by an id: an inventory does not say of which cluster its ids are, and whoever writes
 * an object may call it as one elsewhere is called, give it the same labels, and would be told what the other runs. Which of two it is, nobody can say.
 */
function isOnlyTaker(
  { takers, applier: { ref } }: Known,
  { id, object, uid }: { readonly id: string; readonly object: ObjectRef; readonly uid: string },
  bearers: ReadonlyMap<string, Bearer>,
): boolean {
  const known = takers.get(id) ?? new Map<string, string>();
  takers.set(id, known);
  // Not each time that it is made anew: who makes it so all the time would have the others judged as often.
  const isNew = !known.has(object.cluster);
  known.set(object.cluster, uid);
  for (const [cluster, last] of known) {
    if (last === uid) continue;
    const there = { ...object, cluster };
    const now = bearers.get(cluster)?.uidOf(ref, there) ?? null;
    if (now === null) {
      known.delete(cluster);
      continue;
    }
    known.set(cluster, now);
    // One cluster that is read twice has one and the same object.
    if (now === uid) continue;
    if (isNew) bearers.get(cluster)?.contest(there);
    return false;
  }
  return true;
}

/**
 * Starts an empty index. `isHub` tells whose word is taken on objects of other clusters: an inventory is what a cluster says, and one
 * that means harm says that it delivers what others run.
 */
export function createRemoteApplierIndex(isHub: (cluster: string) => boolean) {
  const named = new Map<RefKey, Map<string, Known>>();
  const bearers = new Map<string, Bearer>();
  const listeners = new Set<(ref: ObjectRef) => void>();
  const news = createNews(listeners);
  return {
    /** Says what an applier is now; null where it is gone, or reaches over no more. */
    publish(ref: ObjectRef, applier: RemoteApplier | null): void {
      const key = labelKey(ref);
      const on = named.get(key) ?? new Map<string, Known>();
      const takers = on.get(ref.cluster)?.takers ?? new Map<string, Map<string, string>>();
      if (applier) on.set(ref.cluster, { applier, takers });
      else on.delete(ref.cluster);
      if (takers.size > (applier?.inventory.size ?? 0))
        for (const id of takers.keys()) if (applier?.inventory.has(id) !== true) takers.delete(id);
      if (on.size > 0) named.set(key, on);
      else named.delete(key);
      news(key, ref);
    },
    /**
     * Appliers of that kind, namespace and name, on whatever cluster, that say to have applied an object of this name, and can mean no other by that. `uid`: that
     * of the object; `contested`: one can mean another, for as long as that is there.
     */
    holding(
      ref: ObjectRef,
      object: ObjectRef,
      uid: string,
    ): { readonly appliers: readonly RemoteApplier[]; readonly contested: boolean } {
      const on = named.get(labelKey(ref));
      if (!on) return nobody;
      const id = inventoryId(object);
      const listing = [...on.values()].filter(({ applier }) => applier.inventory.has(id));
      // Also where its word is not taken here: it may be elsewhere.
      const only = listing.filter((known) => isOnlyTaker(known, { id, object, uid }, bearers));
      const appliers = only
        .map(({ applier }) => applier)
        .filter(({ ref: { cluster } }) => cluster === object.cluster || isHub(cluster));
      return { appliers, contested: only.length < listing.length };
    },
    /** Takes the objects of a cluster, to be asked for; gives the way to take them out. */
    attend(cluster: string, bearer: Bearer): () => void {
      bearers.set(cluster, bearer);
      return () => void (bearers.get(cluster) === bearer && bearers.delete(cluster));
    },
    /** Calls `listener` with whatever was published anew, at once unless that is very much; gives the way to stop it. */
    listen(listener: (ref: ObjectRef) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
