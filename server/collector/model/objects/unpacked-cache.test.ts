import { expect, it } from 'vitest';
import { createUnpackedCache, type Packable } from './unpacked-cache.ts';

/** A cache with room for so many, and what it packed, in order. */
function bed(most?: number) {
  const packed: string[] = [];
  const cache = createUnpackedCache(undefined, most);
  const made = new Map<string, Packable>();
  return {
    packed,
    admit(...names: readonly string[]): void {
      for (const name of names) {
        const packable = { referenced: true, packAway: () => void packed.push(name) };
        made.set(name, packable);
        cache.admit(packable);
      }
    },
    use: (name: string): void => {
      const packable = made.get(name);
      if (packable) packable.referenced = true;
    },
  };
}

it('packs nothing while there is room, then the one that was not used the longest', () => {
  const { admit, packed } = bed(3);
  admit('a', 'b', 'c');
  expect(packed).toEqual([]);
  admit('d');
  expect(packed).toEqual(['a']);
  admit('e', 'f');
  expect(packed).toEqual(['a', 'b', 'c']);
});

it('passes once over what was used since it last came by', () => {
  const { admit, use, packed } = bed(3);
  admit('a', 'b', 'c', 'd');
  use('b');
  admit('e');
  expect(packed).toEqual(['a', 'c']);
  admit('f', 'g');
  expect(packed).toEqual(['a', 'c', 'b', 'd']);
});

it('has room for 2,000', () => {
  const { admit, packed } = bed();
  admit(...Array.from({ length: 2_000 }, (_, n) => `${n}`));
  expect(packed).toEqual([]);
  admit('more');
  expect(packed).toEqual(['0']);
});
