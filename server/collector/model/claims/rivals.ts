import { rivalConflict, type FoundConflict, type Rival } from '#lib/domain/observation/conflict.ts';
import { parseRefKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { FoundConflicts } from './published-conflicts.ts';

/** So many rivals are looked at, of all objects together: one alone may tell a hundred. */
const lookedAtMost = 1_000;

/** The rivals of each object that tells some, as conflicts, one after the other. */
function* conflictsOf(rivals: ReadonlyMap<RefKey, readonly Rival[]>): Generator<FoundConflict, void, unknown> {
  for (const [key, found] of rivals) {
    const ref = parseRefKey(key);
    if (ref !== null) for (const rival of found) yield rivalConflict(ref, rival);
  }
}

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
    conflicts: (): FoundConflicts => ({ some: [...conflictsOf(rivals).take(lookedAtMost)], total }),
  };
}
