import type { RefKey } from '#lib/domain/observation/ref.ts';
import { createClaimIndex } from './claim-index.ts';

/** Which appliers of one cluster hold which inventory ids, kept as inventories change. */
export type InventoryClaims = ReturnType<typeof createInventoryClaims>;

/**
 * Starts with nothing held; `changed` hears when what is contested may have changed.
 * Ids are kept as 31 bits of their text only: a cluster has thousands of them, a fleet millions. Two that fall on one number
 * are told apart by the inventories themselves, which are looked at only then.
 */
export function createInventoryClaims(changed: () => void) {
  const index = createClaimIndex(changed);
  return {
    /** Takes an inventory in place of the one before; the order of its ids does not matter. */
    move(owner: RefKey, before: readonly string[], after: readonly string[]): void {
      if (sameTexts(before, after)) return;
      const kept = new Set(after.map(shortHash));
      for (const id of before) if (!kept.has(shortHash(id))) index.release(shortHash(id), owner);
      for (const number of kept) index.claim(number, owner);
    },
    /** The ids that more than one holds, each with all who do. `inventoryOf` gives the present inventory of an owner. */
    contested(inventoryOf: (owner: RefKey) => readonly string[]): ReadonlyMap<string, readonly RefKey[]> {
      const owners = new Set([...index.contested.values()].flatMap((held) => [...held]));
      const holders = new Map<string, RefKey[]>();
      for (const owner of owners)
        for (const id of new Set(inventoryOf(owner))) {
          if (!index.contested.has(shortHash(id))) continue;
          const known = holders.get(id);
          if (known) known.push(owner);
          else holders.set(id, [owner]);
        }
      for (const [id, held] of holders) if (held.length < 2) holders.delete(id);
      return holders;
    },
    /** True if any id may be held by more than one. */
    any: (): boolean => index.contested.size > 0,
  };
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
