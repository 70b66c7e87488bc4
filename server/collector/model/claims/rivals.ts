import { rivalConflict, type Rival } from '#lib/domain/observation/conflict.ts';
import { parseRefKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { FoundConflicts } from './published-conflicts.ts';

/** So many objects that tell rivals are looked at. */
const lookedAtMost = 1_000;

/** Starts to keep the rivals of objects, as these tell themselves; `touch` hears that they changed. */
export function createRivals(touch: () => void) {
  const rivals = new Map<RefKey, readonly Rival[]>();
  let total = 0;
  return {
    note(key: RefKey, found: readonly Rival[]): void {
      const before = rivals.get(key) ?? [];
      if (found.length === 0 && before.length === 0) return;
      if (JSON.stringify(before) === JSON.stringify(found)) return;
      total += found.length - before.length;
      if (found.length === 0) rivals.delete(key);
      else rivals.set(key, found);
      touch();
    },
    conflicts(): FoundConflicts {
      const some = [...rivals.entries().take(lookedAtMost)].flatMap(([key, found]) => {
        const ref = parseRefKey(key);
        return ref ? found.map((rival) => rivalConflict(ref, rival)) : [];
      });
      return { some, total };
    },
  };
}
