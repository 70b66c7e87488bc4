import {
  compareConflicts,
  conflictKey,
  conflictLimit,
  contestedConflict,
  correctedResources,
  externalConflict,
  inventoryConflict,
  namesResource,
  rivalConflict,
  type Conflict,
  type FoundConflict,
  type Holder,
  type Rival,
} from '#lib/domain/observation/conflict.ts';
import type { Correction, CurrentCluster } from '#lib/domain/record/current.ts';
import { parseInventoryId } from '#lib/domain/observation/inventory.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { parseRefKey, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { correctionCounts } from '#lib/domain/observation/drift.ts';
import type { Entry } from '../objects/entry.ts';
import type { ExternalClaims } from './external-claims.ts';
import { createInventoryClaims } from './inventory-claims.ts';

/** The conflicts are put together anew at most once in this time (ms). */
const pause = 1_000;

/** The columns of a cluster's row that this index fills. */
export type PublishedConflicts = Pick<CurrentCluster, 'conflicts' | 'conflictsTotal'>;

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

/** Contested corrections, each for a day after its last. */
function createContested(touch: () => void) {
  const contested = new Map<RefKey, Correction>();
  return {
    get: (key: RefKey): Correction | undefined => contested.get(key),
    note(key: RefKey, newest: Correction | undefined): void {
      const known = contested.get(key);
      const fought = newest?.certainty === 'contested' ? newest : undefined;
      if (!known && !fought) return;
      if (fought) contested.set(key, fought);
      else contested.delete(key);
      if (known?.said !== fought?.said) touch();
    },
    forget(key: RefKey): void {
      if (contested.delete(key)) touch();
    },
    /** Those that count at `now` (ms). */
    at(now: number): readonly (readonly [RefKey, Correction])[] {
      for (const [key, { at }] of contested) if (at <= now - correctionCounts) contested.delete(key);
      return [...contested];
    },
    /** When the first of them is forgotten (ms), infinity for never. */
    forgetAt: (): number => Math.min(Infinity, ...[...contested.values()].map(({ at }) => at + correctionCounts)),
  };
}

/** Rivals of objects, as these tell themselves. */
function createRivals(touch: () => void) {
  const rivals = new Map<RefKey, readonly Rival[]>();
  return {
    note(key: RefKey, found: readonly Rival[]): void {
      if (found.length === 0 && !rivals.has(key)) return;
      if (JSON.stringify(rivals.get(key) ?? []) === JSON.stringify(found)) return;
      if (found.length === 0) rivals.delete(key);
      else rivals.set(key, found);
      touch();
    },
    conflicts: (): FoundConflict[] =>
      [...rivals].flatMap(([key, found]) => {
        const ref = parseRefKey(key);
        return ref ? found.map((rival) => rivalConflict(ref, rival)) : [];
      }),
  };
}

/** Published conflicts: put together anew at most each second, where anything changed or time has passed over it. */
function createPublished(before: PublishedConflicts | null) {
  let since = new Map((before?.conflicts ?? []).map((conflict) => [conflictKey(conflict), conflict.since]));
  let published: PublishedConflicts | null = null;
  let changed = true;
  let madeAt = Number.NEGATIVE_INFINITY;
  let forgetAt = Number.POSITIVE_INFINITY;
  return {
    touch(): void {
      changed = true;
    },
    due: (): number | null => (changed ? madeAt + pause : Number.isFinite(forgetAt) ? forgetAt : null),
    /** `find` gives all conflicts, and when the next of them is forgotten (ms). */
    current(now: number, find: () => { found: readonly FoundConflict[]; forgetAt: number }): PublishedConflicts {
      if (published && !(changed && now >= madeAt + pause) && now < forgetAt && now >= madeAt) return published;
      const { found, forgetAt: next } = find();
      const first = found.toSorted(compareConflicts).slice(0, conflictLimit);
      const conflicts = first.map((one): Conflict => ({ ...one, since: since.get(conflictKey(one)) ?? now }));
      since = new Map(conflicts.map((conflict) => [conflictKey(conflict), conflict.since]));
      published = { conflicts, conflictsTotal: found.length };
      changed = false;
      madeAt = now;
      forgetAt = next;
      return published;
    },
  };
}

type ContestedIds = ReadonlyMap<string, readonly RefKey[]>;

function moveExternal(externals: ExternalClaims, key: RefKey, old: number | null, now: number | null): void {
  if (old === now) return;
  if (old !== null) externals.release(old, key);
  if (now !== null) externals.claim(now, key);
}

function externalConflicts(externals: ExternalClaims, cluster: string): FoundConflict[] {
  return externals.contestedOn(cluster).flatMap(({ owners, total }) => {
    const refs = owners.map(parseRefKey).filter((ref) => ref !== null);
    return externalConflict(refs, total) ?? [];
  });
}

/** Starts the index of one cluster. */
export function createConflictIndex({ cluster, entries, externals, before }: ConflictIndexDeps) {
  const published = createPublished(before);
  const { touch } = published;
  const inventories = createInventoryClaims(touch);
  const rivals = createRivals(touch);
  const contested = createContested(touch);
  const stopListening = externals.listen(cluster, touch);

  function contestedIds(): ContestedIds {
    return inventories.any()
      ? inventories.contested((key) => inventoryOf(entries.get(key)?.state.track.latest ?? null))
      : new Map<string, readonly RefKey[]>();
  }

  function holderOf(key: RefKey, resource: Parameters<typeof namesResource>[1]): Holder | null {
    const entry = entries.get(key);
    if (!entry) return null;
    const fight = contested.get(key);
    const fights = fight !== undefined && correctedResources(fight.said).some((one) => namesResource(one, resource));
    return { ref: entry.ref, suspended: entry.state.track.latest.suspended !== null, fights };
  }

  function ofInventories(ids: ContestedIds): FoundConflict[] {
    return [...ids].flatMap(([id, owners]) => {
      const resource = parseInventoryId(id);
      if (!resource) return [];
      const holders = owners.map((owner) => holderOf(owner, resource)).filter((holder) => holder !== null);
      return [inventoryConflict(resource, holders)];
    });
  }

  function find(now: number): { found: readonly FoundConflict[]; forgetAt: number } {
    const ids = contestedIds();
    const others = [...ofInventories(ids), ...externalConflicts(externals, cluster), ...rivals.conflicts()];
    const ofCorrections = contested.at(now).flatMap(([key, { said }]) => {
      const ref = parseRefKey(key);
      return ref && !isExplained(ids, key, said) ? [contestedConflict(ref, said)] : [];
    });
    return { found: [...others, ...ofCorrections], forgetAt: contested.forgetAt() };
  }

  return {
    /** Takes the newest observation of an object in place of the one before; null for none. */
    move(old: Observation | null, now: Observation | null): void {
      const ref = (now ?? old)?.ref;
      if (!ref) return;
      const key = refKey(ref);
      inventories.move(key, inventoryOf(old), inventoryOf(now));
      moveExternal(externals, key, old?.externalId ?? null, now?.externalId ?? null);
      rivals.note(key, now?.rivals ?? []);
      // Who is switched off is said with what it holds.
      if ((old?.suspended === null) !== (now?.suspended === null) && inventories.any()) touch();
      if (now === null) contested.forget(key);
    },
    /** Takes the corrections of an object, newest first. */
    noteCorrections: (key: RefKey, [newest]: readonly Correction[]): void => contested.note(key, newest),
    /** True if all that a correction of an object names is held by another as well: then nothing drifted, they fight. */
    explains: (key: RefKey, said: string): boolean => inventories.any() && isExplained(contestedIds(), key, said),
    /** When what is published should be renewed (ms); null while nothing changed. */
    due: published.due,
    /** Conflicts to be published at `now` (ms). */
    current: (now: number): PublishedConflicts => published.current(now, () => find(now)),
    stop: stopListening,
  };
}

/** True if others hold everything, too, that a correction of `key` names. */
function isExplained(ids: ReadonlyMap<string, readonly RefKey[]>, key: RefKey, said: string): boolean {
  const shared = [...ids].filter(([, owners]) => owners.includes(key)).map(([id]) => parseInventoryId(id));
  const named = correctedResources(said);
  return (
    named.length > 0 &&
    named.every((one) => shared.some((resource) => resource !== null && namesResource(one, resource)))
  );
}
