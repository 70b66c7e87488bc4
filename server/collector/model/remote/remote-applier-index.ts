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

/**
 * Starts an empty index. `isHub` tells whose word is taken on objects of other clusters: an inventory is what a cluster says, and one
 * that means harm says that it delivers what others run.
 */
export function createRemoteApplierIndex(isHub: (cluster: string) => boolean) {
  const named = new Map<RefKey, Map<string, RemoteApplier>>();
  const listeners = new Set<(ref: ObjectRef) => void>();
  const news = createNews(listeners);
  return {
    /** Says what an applier is now; null where it is gone, or reaches over no more. */
    publish(ref: ObjectRef, applier: RemoteApplier | null): void {
      const key = labelKey(ref);
      const on = named.get(key) ?? new Map<string, RemoteApplier>();
      if (applier) on.set(ref.cluster, applier);
      else on.delete(ref.cluster);
      if (on.size > 0) named.set(key, on);
      else named.delete(key);
      news(key, ref);
    },
    /** Appliers of that kind, namespace and name, on whatever cluster, that say to have applied an object of this name. */
    holding(ref: ObjectRef, object: ObjectRef): readonly RemoteApplier[] {
      const on = named.get(labelKey(ref));
      if (!on) return [];
      const id = inventoryId(object);
      return [...on.values()].filter(
        ({ ref: { cluster }, inventory }) => inventory.has(id) && (cluster === object.cluster || isHub(cluster)),
      );
    },
    /** Calls `listener` with whatever was published anew, at once unless that is very much; gives the way to stop it. */
    listen(listener: (ref: ObjectRef) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
