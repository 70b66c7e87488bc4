import type { CurrentCluster, CurrentObject } from '#lib/domain/current.ts';
import type { ObjectRef, RefKey } from '#lib/domain/ref.ts';
import { refKey } from '#lib/domain/ref.ts';
import type { Change } from '#server/store/port.ts';
import { sameSubstance } from './same-substance.ts';

/** The objects of a cluster by their keys. */
export type ShelfObjects = Pick<ReadonlyMap<RefKey, CurrentObject>, 'size' | 'get' | 'values' | 'entries'>;

/** What is held of one cluster. */
export interface Shelf {
  readonly name: string;
  /** null while only objects of it have come. */
  readonly record: CurrentCluster | null;
  readonly objects: ShelfObjects;
  /** Moves when anything changed that a reader could see. */
  readonly revision: number;
  /** Moves when only proof was renewed: confirmations, times of a last word. */
  readonly renewal: number;
}

/**
 * The fleet in memory, as the store has it or had it. Nothing in it is judged by the clock: every reader goes through `KnownFleet`,
 * which says what may still be believed.
 */
export interface Picture {
  shelf(cluster: string): Shelf | null;
  shelves(): Iterable<Shelf>;
  object(ref: ObjectRef): CurrentObject | null;
  /** How many objects it holds. */
  size(): number;
}

/** A picture that follows the store. */
export interface LivingPicture extends Picture {
  /** Applies changes in their order. */
  apply(changes: readonly Change[]): void;
  /** Forgets everything: another store took the place of the one it was read from. */
  clear(): void;
}

interface OpenShelf extends Shelf {
  record: CurrentCluster | null;
  readonly objects: Map<RefKey, CurrentObject>;
  revision: number;
  renewal: number;
}

/** Makes an empty picture. */
export function createPicture(): LivingPicture {
  const shelves = new Map<string, OpenShelf>();
  // Over all shelves and never reset, so that a cluster that comes back is never mistaken for what it was.
  let revision = 0;
  let size = 0;

  function open(name: string): OpenShelf {
    const found = shelves.get(name);
    if (found) return found;
    const made = { name, record: null, objects: new Map(), revision: ++revision, renewal: 0 };
    shelves.set(name, made);
    return made;
  }

  function put(object: CurrentObject): void {
    const shelf = open(object.ref.cluster);
    const key = refKey(object.ref);
    if (!shelf.objects.has(key)) size += 1;
    shelf.objects.set(key, object);
    shelf.revision = ++revision;
  }

  function remove(ref: ObjectRef): void {
    const shelf = shelves.get(ref.cluster);
    if (!shelf?.objects.delete(refKey(ref))) return;
    size -= 1;
    shelf.revision = ++revision;
  }

  function confirm(change: Extract<Change, { type: 'confirmed' }>): void {
    const shelf = shelves.get(change.ref.cluster);
    const key = refKey(change.ref);
    const object = shelf?.objects.get(key);
    if (!shelf || !object) return;
    const { confirmedAt, observedAt, validUntil } = change;
    shelf.objects.set(key, { ...object, confirmedAt, observedAt, validUntil });
    shelf.renewal += 1;
  }

  function putCluster(record: CurrentCluster): void {
    const shelf = open(record.name);
    if (shelf.record && sameSubstance(shelf.record, record)) shelf.renewal += 1;
    else shelf.revision = ++revision;
    shelf.record = record;
  }

  function removeCluster(name: string): void {
    size -= shelves.get(name)?.objects.size ?? 0;
    shelves.delete(name);
  }

  function applyOne(change: Change): void {
    switch (change.type) {
      case 'object':
        return put(change.object);
      case 'removed':
        return remove(change.ref);
      case 'confirmed':
        return confirm(change);
      case 'cluster':
        return putCluster(change.cluster);
      case 'cluster-removed':
        return removeCluster(change.cluster);
    }
  }

  return {
    apply: (changes) => changes.forEach(applyOne),
    clear() {
      shelves.clear();
      size = 0;
    },
    shelf: (cluster) => shelves.get(cluster) ?? null,
    shelves: () => shelves.values(),
    object: (ref) => shelves.get(ref.cluster)?.objects.get(refKey(ref)) ?? null,
    size: () => size,
  };
}
