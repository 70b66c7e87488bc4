import type { Observation } from '#lib/domain/observation/observation.ts';
import type { GroupKind, RefKey } from '#lib/domain/observation/ref.ts';

/** A kind as an inventory id ends with it: "<group>_<kind>". */
function ending({ group, kind }: GroupKind): string {
  return `${group}_${kind}`;
}

function kindOfId(id: string): string {
  return id.slice(id.lastIndexOf('_', id.lastIndexOf('_') - 1) + 1);
}

/** Of which kinds the objects are that others list in an inventory or are made of. Starts with nobody known. */
export function createListedKinds() {
  const byKind = new Map<string, Set<RefKey>>();
  const kindsOf = new Map<RefKey, readonly string[]>();
  /** Few combinations of kinds are in any number of inventories: each is held once. */
  const known = new Map<string, readonly string[]>();

  function kindsIn({ inventory, children }: Pick<Observation, 'inventory' | 'children'>): readonly string[] | null {
    if (inventory.length === 0 && children.length === 0) return null;
    const kinds = [...new Set([...inventory.map(kindOfId), ...children.map(ending)])].toSorted();
    const joined = kinds.join('\n');
    const same = known.get(joined) ?? kinds;
    known.set(joined, same);
    return same;
  }

  function forget(key: RefKey): void {
    for (const kind of kindsOf.get(key) ?? []) {
      const listing = byKind.get(kind);
      if (listing?.delete(key) && listing.size === 0) byKind.delete(kind);
    }
    kindsOf.delete(key);
  }

  return {
    /** Takes what an object lists now in place of what it listed before. */
    note(key: RefKey, observation: Pick<Observation, 'inventory' | 'children'>): void {
      const kinds = kindsIn(observation);
      if ((kindsOf.get(key) ?? null) === kinds) return;
      forget(key);
      if (kinds === null) return;
      kindsOf.set(key, kinds);
      for (const kind of kinds) {
        const listing = byKind.get(kind) ?? new Set();
        listing.add(key);
        byKind.set(kind, listing);
      }
    },
    forget,
    /** Who lists an object of a kind. */
    listing: (kind: GroupKind): Iterable<RefKey> => byKind.get(ending(kind)) ?? [],
    /** Everybody who lists anything. */
    all: (): Iterable<RefKey> => kindsOf.keys(),
  };
}
