import { parseRefKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { createClaimIndex, type Contest } from './claim-index.ts';
import { createGroups } from './in-turn.ts';

/** One who holds an id, with the others that are told: `more` where there are others still, or one was not looked at. */
export interface Held {
  readonly owners: readonly RefKey[];
  readonly more: boolean;
}

/** Ids that more than one holds: some of them, and how many there are in all. */
export interface ContestedIds {
  readonly ids: ReadonlyMap<string, Held>;
  readonly total: number;
}

/** Gives the present inventory of an owner. */
export type InventoryOf = (owner: RefKey) => readonly string[];

/**
 * Bounds of one look: ids that more than one holds, owners of each that are told, and ids of inventories after which no other is read for it. A cluster
 * in which two hundred appliers hold the same eight thousand ids held up all others for seconds.
 */
export const lookedAt = { contested: 1_000, owners: 16, ids: 50_000 } as const;

/** Which appliers of one cluster hold which inventory ids, kept as inventories change. */
export type InventoryClaims = ReturnType<typeof createInventoryClaims>;

/**
 * Starts with nothing held; `changed` hears when what is contested may have changed.
 * Ids are kept as 31 bits of their text only: a cluster has thousands of them, a fleet millions. Two that fall on one number
 * are told apart by the inventories themselves, which are looked at only then.
 */
export function createInventoryClaims(changed: () => void) {
  const turns = createTurns();
  const index = createClaimIndex((contest) => {
    turns.note(contest);
    changed();
  });
  return {
    /** Takes an inventory in place of the one before; the order of its ids does not matter. */
    move(owner: RefKey, before: readonly string[], after: readonly string[]): void {
      if (sameTexts(before, after)) return;
      const kept = new Set(after.map(shortHash));
      for (const id of before) if (!kept.has(shortHash(id))) index.release(shortHash(id), owner);
      for (const number of kept) index.claim(number, owner);
    },
    /**
     * The ids that more than one holds, within the bounds of `lookedAt`, those of each namespace in their turn. Those beyond are counted by their numbers: two
     * texts of one number, one pair in two billion, are one there.
     */
    contested(inventoryOf: InventoryOf): ContestedIds {
      const asked = new Map(
        [...turns.first(lookedAt.contested)].map((number) => [
          number,
          new Set(index.contested.get(number)?.values().take(lookedAt.owners)),
        ]),
      );
      const { holders, unread } = heldIn(asked, inventoryOf);
      const ids = new Map<string, Held>();
      const told = new Set<number>();
      for (const [id, owners] of holders) {
        if (owners.length < 2) continue;
        const number = shortHash(id);
        const isCut = (index.contested.get(number)?.size ?? 0) > lookedAt.owners;
        ids.set(id, { owners, more: isCut || unread.has(number) });
        told.add(number);
      }
      const untold = [...unread].filter((number) => !told.has(number)).length;
      return { ids, total: ids.size + untold + index.contested.size - asked.size };
    },
    /** True if another than `owner` holds an id; of many, the first few are looked at. */
    isShared(owner: RefKey, id: string, inventoryOf: InventoryOf): boolean {
      const owners = index.contested.get(shortHash(id))?.values().take(lookedAt.owners) ?? [];
      for (const other of owners) if (other !== owner && holds(inventoryOf(other), id)) return true;
      return false;
    },
    /** True if any id may be held by more than one. */
    any: (): boolean => index.contested.size > 0,
  };
}

/** Ids of long inventories, for as long as those are the same: corrections that come back ask the same one for tens of thousands of ids. */
const idsOf = new WeakMap<readonly string[], ReadonlySet<string>>();
const long = 64;

function holds(inventory: readonly string[], id: string): boolean {
  if (inventory.length < long) return inventory.includes(id);
  const ids = idsOf.get(inventory) ?? new Set(inventory);
  idsOf.set(inventory, ids);
  return ids.has(id);
}

function namespaceOf(owner: RefKey): string {
  return parseRefKey(owner)?.namespace ?? '';
}

/** Keeps numbers that more than one holds by the namespaces of the first who do: one in which two appliers hold the same thousands leaves the others their turn. */
function createTurns() {
  const byNamespace = createGroups<number>();
  const groupOf = new Map<number, string>();
  return {
    note({ thing, type, owners }: Parameters<Contest>[0]): void {
      if (type === 'begins') {
        const group = Array.from(owners, namespaceOf).toSorted().join('/');
        groupOf.set(thing, group);
        byNamespace.add(group, thing);
      }
      if (type === 'ends') {
        byNamespace.delete(groupOf.get(thing) ?? '', thing);
        groupOf.delete(thing);
      }
    },
    first: (most: number): Iterable<number> => byNamespace.inTurn().take(most),
  };
}

/**
 * Owners with their inventories, null where it is too much beside the others. Each namespace has its share of all ids that are looked at, and what one leaves
 * is for the rest, in their order.
 */
function* inShares(
  owners: Iterable<RefKey>,
  inventoryOf: InventoryOf,
): Generator<readonly [RefKey, readonly string[] | null], void, unknown> {
  const groups = [...Map.groupBy(owners, namespaceOf).values()];
  const rest: (readonly [RefKey, readonly string[] | null])[] = [];
  let left: number = lookedAt.ids;
  for (const group of groups) {
    let room = Math.floor(lookedAt.ids / groups.length);
    for (const [at, owner] of group.entries()) {
      const inventory = inventoryOf(owner);
      if (inventory.length > room) {
        rest.push([owner, inventory], ...group.slice(at + 1).map((later) => [later, null] as const));
        break;
      }
      room -= inventory.length;
      left -= inventory.length;
      yield [owner, inventory];
    }
  }
  for (const [owner, known] of rest) {
    const inventory = left > 0 ? (known ?? inventoryOf(owner)) : null;
    const isRead = inventory !== null && inventory.length <= lookedAt.ids;
    if (isRead) left -= inventory.length;
    yield [owner, isRead ? inventory : null];
  }
}

/** Who of those that are asked about holds which text; `unread`: numbers of which not every holder could be looked at. */
function heldIn(asked: ReadonlyMap<number, ReadonlySet<RefKey>>, inventoryOf: InventoryOf) {
  const holders = new Map<string, RefKey[]>();
  const skipped = new Set<RefKey>();
  const owners = new Set([...asked.values()].flatMap((all) => [...all]));
  for (const [owner, inventory] of inShares(owners, inventoryOf)) {
    if (inventory === null) {
      skipped.add(owner);
      continue;
    }
    for (const id of new Set(inventory)) {
      if (asked.get(shortHash(id))?.has(owner) !== true) continue;
      const known = holders.get(id);
      if (known) known.push(owner);
      else holders.set(id, [owner]);
    }
  }
  const unread = new Set<number>();
  if (skipped.size > 0)
    for (const [number, all] of asked) if ([...all].some((owner) => skipped.has(owner))) unread.add(number);
  return { holders, unread };
}

/** FNV-1a of a text, cut to what the engine keeps without a box around it. */
export function shortHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 1;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, index) => text === b[index]));
}
