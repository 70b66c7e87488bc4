import { createPacker } from '#server/store/codec/pack/packer.ts';

/** Large value that can pack itself. */
export interface Packable {
  /** Set at each use; the search for one to pack passes over it once. */
  referenced: boolean;
  /** Packs itself. */
  packAway(): void;
}

/**
 * Keeps a bounded number of objects unpacked, over all clusters of a process, and packs the others: of a fleet of a million
 * objects some hundreds are used in any second, and a packed one takes a twentieth of the memory.
 */
export type UnpackedCache = ReturnType<typeof createUnpackedCache>;

/** Room to judge the largest clusters with every object unpacked; about 10 MB. */
const unpackedAtMost = 2_000;

/** Makes the cache that all clusters of a process share. */
export function createUnpackedCache(packer = createPacker(), most = unpackedAtMost) {
  const unpacked: Packable[] = [];
  let hand = 0;

  /** The clock's hand: passes over what was used since it last came by. */
  function next(): number {
    for (;;) {
      const position = hand;
      hand = (hand + 1) % most;
      const packable = unpacked[position];
      if (!packable?.referenced) return position;
      packable.referenced = false;
    }
  }

  return {
    packer,
    /** Takes one that was unpacked, or is new; where there are too many, packs one that was not used lately. */
    admit(packable: Packable): void {
      if (unpacked.length < most) {
        unpacked.push(packable);
        return;
      }
      const position = next();
      unpacked[position]?.packAway();
      unpacked[position] = packable;
    },
  };
}
