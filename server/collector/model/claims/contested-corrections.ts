import { correctionCounts } from '#lib/domain/observation/drift.ts';
import { parseRefKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import { inTurn } from './in-turn.ts';

/** Starts to keep contested corrections, each for a day after its last; `touch` hears that they changed. */
export function createContested(touch: () => void) {
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
    /** Those that count at `now` (ms): `most` of them at most, each namespace in its turn, and how many there are. */
    at(
      now: number,
      most: number,
    ): { readonly some: readonly (readonly [RefKey, Correction])[]; readonly total: number } {
      for (const [key, { at }] of contested) if (at <= now - correctionCounts) contested.delete(key);
      const namespaceOf = ([key]: readonly [RefKey, Correction]): string => parseRefKey(key)?.namespace ?? '';
      return { some: inTurn(contested, namespaceOf, most), total: contested.size };
    },
    /** When the first of them is forgotten (ms), infinity for never. */
    forgetAt: (): number =>
      contested.values().reduce((least, { at }) => Math.min(least, at + correctionCounts), Infinity),
  };
}
