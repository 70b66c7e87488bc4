import type { Observation } from '#lib/domain/observation/observation.ts';
import type { GroupKind, RefKey } from '#lib/domain/observation/ref.ts';

/** A kind as an inventory id ends with it: "<group>_<kind>". */
function ending({ group, kind }: GroupKind): string {
  return `${group}_${kind}`;
}

function kindOfId(id: string): string {
  return id.slice(id.lastIndexOf('_', id.lastIndexOf('_') - 1) + 1);
}

/** Kinds that are listed together, and by how many. */
interface Combination {
  readonly joined: string;
  readonly kinds: readonly string[];
  listing: number;
}

/** Of which kinds the objects are that others list in an inventory or are made of. Starts with nobody known. */
export function createListedKinds() {
  const byKind = new Map<string, Set<RefKey>>();
  const kindsOf = new Map<RefKey, Combination>();
  /** Few combinations of kinds are in any number of inventories: each is held once, as long as anybody lists it. */
  const known = new Map<string, Combination>();

  function kindsIn({ inventory, children }: Pick<Observation, 'inventory' | 'children'>): Combination | null {
    if (inventory.length === 0 && children.length === 0) return null;
    const kinds = [...new Set([...inventory.map(kindOfId), ...children.map(ending)])].toSorted();
    const joined = kinds.join('\n');
    return known.get(joined) ?? { joined, kinds, listing: 0 };
  }

  function forget(key: RefKey): void {
    const before = kindsOf.get(key);
    if (before === undefined) return;
    for (const kind of before.kinds) {
      const listing = byKind.get(kind);
      if (listing?.delete(key) && listing.size === 0) byKind.delete(kind);
    }
    kindsOf.delete(key);
    before.listing -= 1;
    if (before.listing === 0) known.delete(before.joined);
  }

  return {
    /** Takes what an object lists now in place of what it listed before. */
    note(key: RefKey, observation: Pick<Observation, 'inventory' | 'children'>): void {
      const combination = kindsIn(observation);
      if ((kindsOf.get(key) ?? null) === combination) return;
      forget(key);
      if (combination === null) return;
      kindsOf.set(key, combination);
      combination.listing += 1;
      known.set(combination.joined, combination);
      for (const kind of combination.kinds) {
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
