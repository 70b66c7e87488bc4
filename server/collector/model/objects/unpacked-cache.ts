import { createPacker } from '#server/store/codec/pack/packer.ts';

/** Large value that packs itself, and may be laid to rest. */
export interface Packable {
  /** Set whenever it is looked at; whoever looks for one to lay to rest passes over it once. */
  referenced: boolean;
  /** Packs itself. */
  packAway(): void;
}

/**
 * Keeps a bounded number of objects awake, over all clusters of a process, and lays the others to rest: of a fleet of a million
 * objects some hundreds are looked at in any second, and the rest takes a twentieth of the memory meanwhile.
 */
export type UnpackedCache = ReturnType<typeof createUnpackedCache>;

/** Room for the largest clusters to be judged with everybody awake; about 10 MB. */
const unpackedAtMost = 2_000;

/** Makes the place that all clusters of a process share. */
export function createUnpackedCache(packer = createPacker(), most = unpackedAtMost) {
  const awake: Packable[] = [];
  let hand = 0;

  /** The clock's hand: whoever was looked at since it last came by is passed over. */
  function next(): number {
    for (;;) {
      const position = hand;
      hand = (hand + 1) % most;
      const packable = awake[position];
      if (!packable?.referenced) return position;
      packable.referenced = false;
    }
  }

  return {
    packer,
    /** It has been woken (or is new): where too many are awake, one that was not looked at lately is laid to rest. */
    admit(packable: Packable): void {
      if (awake.length < most) {
        awake.push(packable);
        return;
      }
      const position = next();
      awake[position]?.packAway();
      awake[position] = packable;
    },
  };
}
