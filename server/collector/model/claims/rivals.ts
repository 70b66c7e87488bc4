import { rivalConflict, type FoundConflict, type Rival } from '#lib/domain/observation/conflict.ts';
import { parseRefKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { createGroups } from './in-turn.ts';
import type { FoundConflicts } from './published-conflicts.ts';

/** So many rivals are looked at, of all objects together: one alone may tell a hundred. Each namespace has its turn. */
const lookedAtMost = 1_000;

function namespaceOf(key: RefKey): string {
  return parseRefKey(key)?.namespace ?? '';
}

/** The rivals of these objects as conflicts, one after the other. */
function* conflictsOf(
  keys: Iterable<RefKey>,
  rivals: ReadonlyMap<RefKey, readonly Rival[]>,
): Generator<FoundConflict, void, unknown> {
  for (const key of keys) {
    const ref = parseRefKey(key);
    if (ref !== null) for (const rival of rivals.get(key) ?? []) yield rivalConflict(ref, rival);
  }
}

/** Starts to keep the rivals of objects, as these tell themselves; `touch` hears that they changed. */
export function createRivals(touch: () => void) {
  const rivals = new Map<RefKey, readonly Rival[]>();
  const byNamespace = createGroups<RefKey>();
  let total = 0;
  return {
    note(key: RefKey, found: readonly Rival[]): void {
      const before = rivals.get(key) ?? [];
      if (found.length === 0 && before.length === 0) return;
      if (JSON.stringify(before) === JSON.stringify(found)) return;
      total += found.length - before.length;
      if (found.length === 0) {
        rivals.delete(key);
        byNamespace.delete(namespaceOf(key), key);
      } else {
        rivals.set(key, found);
        byNamespace.add(namespaceOf(key), key);
      }
      touch();
    },
    conflicts: (): FoundConflicts => ({
      some: [...conflictsOf(byNamespace.inTurn(), rivals).take(lookedAtMost)],
      total,
    }),
  };
}
