import {
  contestedConflict,
  correctedResources,
  externalConflict,
  inventoryConflict,
  namesResource,
  type ConflictResource,
  type Holder,
} from '#lib/domain/observation/conflict.ts';
import { parseInventoryId } from '#lib/domain/observation/inventory.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { parseRefKey, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import type { Entry } from '../objects/entry.ts';
import { createContested } from './contested-corrections.ts';
import { openExplanations } from './explanations.ts';
import type { ExternalClaims } from './external-claims.ts';
import { createInventoryClaims } from './inventory-claims.ts';
import { listedConflicts } from './listed-conflicts.ts';
import { createPublished, type FoundConflicts, type PublishedConflicts } from './published-conflicts.ts';
import { createRivals } from './rivals.ts';

/** So many corrections that come back, and inventory ids to explain them by, are looked at at once. */
const looked = { corrections: 1_000, ids: 50_000 } as const;

/** Parameters of the index. `before` is what was published of the cluster last; null for nothing. */
export interface ConflictIndexDeps {
  readonly cluster: string;
  readonly entries: ReadonlyMap<RefKey, Entry>;
  readonly externals: ExternalClaims;
  readonly before: PublishedConflicts | null;
}

/** Resources of one cluster with more than one manager, kept as objects come and go. */
export type ConflictIndex = ReturnType<typeof createConflictIndex>;

const nothing: readonly string[] = [];

/** Inventory of an object on its own cluster: what lives on another is another resource, though it be called alike. */
function inventoryOf(observation: Observation | null): readonly string[] {
  return observation === null || observation.remote ? nothing : observation.inventory;
}

/** Claims of one cluster's objects outside of it, in the index of all clusters. */
function createOwnClaims(externals: ExternalClaims) {
  const own = new Map<RefKey, number>();
  return {
    move(key: RefKey, old: number | null, now: number | null): void {
      if (old === now) return;
      if (old !== null) externals.release(old, key);
      if (now === null) own.delete(key);
      else {
        externals.claim(now, key);
        own.set(key, now);
      }
    },
    /** Nobody reads the cluster any more: what its objects claim is not known. */
    releaseAll(): void {
      for (const [key, thing] of own) externals.release(thing, key);
      own.clear();
    },
  };
}

function externalConflicts(externals: ExternalClaims, cluster: string): FoundConflicts {
  const { some, total } = externals.contestedOn(cluster);
  const conflicts = some.flatMap(({ owners, total: holders }) => {
    const refs = owners.map(parseRefKey).filter((ref) => ref !== null);
    return externalConflict(refs, holders) ?? [];
  });
  return { some: conflicts, total };
}

/** Makes holders of resources, each entry looked at once; `saidOf` gives the contested correction of an object, '' for none. */
function openHolders(entries: ReadonlyMap<RefKey, Entry>, saidOf: (key: RefKey) => string) {
  type Known = Pick<Holder, 'ref' | 'suspended'> & { readonly corrected: readonly ConflictResource[] };
  const known = new Map<RefKey, Known | null>();

  function look(key: RefKey): Known | null {
    const entry = entries.get(key);
    if (!entry) return null;
    const suspended = entry.state.track.latest.suspended !== null;
    return { ref: entry.ref, suspended, corrected: correctedResources(saidOf(key)) };
  }

  return (key: RefKey, resource: ConflictResource): Holder | null => {
    const found = known.get(key) ?? look(key);
    known.set(key, found);
    if (found === null) return null;
    const { ref, suspended, corrected } = found;
    return { ref, suspended, fights: corrected.some((one) => namesResource(one, resource)) };
  };
}

/** Starts the index of one cluster. */
export function createConflictIndex({ cluster, entries, externals, before }: ConflictIndexDeps) {
  const published = createPublished(before);
  const { touch } = published;
  const inventories = createInventoryClaims(touch);
  const rivals = createRivals(touch);
  const contested = createContested(touch);
  const own = createOwnClaims(externals);
  const stopListening = externals.listen(cluster, touch);

  const inventoryNow = (key: RefKey): readonly string[] => inventoryOf(entries.get(key)?.state.track.latest ?? null);

  const isExplained = openExplanations(inventories, inventoryNow);

  function ofInventories(): FoundConflicts {
    if (!inventories.any()) return { some: [], total: 0 };
    const { ids, total } = inventories.contested(inventoryNow);
    const holderOf = openHolders(entries, (key) => contested.get(key)?.said ?? '');
    const some = [...ids].flatMap(([id, { owners, more }]) => {
      const resource = parseInventoryId(id);
      if (!resource) return [];
      const holders = owners.map((owner) => holderOf(owner, resource)).filter((holder) => holder !== null);
      return [inventoryConflict(resource, holders, more)];
    });
    return { some, total: total - ids.size + some.length };
  }

  /** Corrections that come back and are not explained; what is beyond the bound is taken for unexplained. */
  function ofCorrections(now: number): FoundConflicts {
    let left: number = looked.ids;
    const { some: first, total } = contested.at(now, looked.corrections);
    const some = first.flatMap(([key, { said }]) => {
      const ref = parseRefKey(key);
      if (ref === null) return [];
      left -= inventoryNow(key).length;
      return left >= 0 && isExplained(key, said) ? [] : [contestedConflict(ref, said)];
    });
    return { some, total: some.length + total - first.length };
  }

  function find(now: number): FoundConflicts & { forgetAt: number } {
    const all = [ofInventories(), externalConflicts(externals, cluster), rivals.conflicts(), ofCorrections(now)];
    const total = all.reduce((sum, found) => sum + found.total, 0);
    const some = listedConflicts(
      cluster,
      all.flatMap((found) => found.some),
    );
    return { some, total, forgetAt: contested.forgetAt() };
  }

  return {
    /** Takes the newest observation of an object in place of the one before; null for none. */
    move(old: Observation | null, now: Observation | null): void {
      const ref = (now ?? old)?.ref;
      if (!ref) return;
      const key = refKey(ref);
      inventories.move(key, inventoryOf(old), inventoryOf(now));
      own.move(key, old?.externalId ?? null, now?.externalId ?? null);
      rivals.note(key, now?.rivals ?? []);
      // Who is switched off is said with what it holds.
      if ((old?.suspended === null) !== (now?.suspended === null) && inventories.any()) touch();
      if (now === null) contested.forget(key);
    },
    /** Takes the corrections of an object, newest first. */
    noteCorrections: (key: RefKey, [newest]: readonly Correction[]): void => contested.note(key, newest),
    /** True if all that a correction of an object names is held by another as well: then nothing drifted, they fight. */
    explains: isExplained,
    /** When what is published should be renewed (ms); null while nothing changed. */
    due: published.due,
    /** Conflicts to be published at `now` (ms). */
    current: (now: number): PublishedConflicts => published.current(now, () => find(now)),
    /** Nobody reads the cluster any more. */
    stop(): void {
      stopListening();
      own.releaseAll();
    },
  };
}
