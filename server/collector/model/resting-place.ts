import { createPacker, type Packer } from '#server/store/packer.ts';

/** What may be laid to rest: something large that packs itself. */
export interface Sleeper {
  /** Set whenever it is looked at; whoever looks for one to lay to rest passes over it once. */
  lookedAt: boolean;
  /** Packs itself. */
  rest(): void;
}

/**
 * Keeps a bounded number of objects awake, over all clusters of a process, and lays the others to rest: of a fleet of a million
 * objects some hundreds are looked at in any second, and the rest takes a twentieth of the memory meanwhile.
 */
export interface RestingPlace {
  readonly packer: Packer;
  /** It has been woken (or is new): where too many are awake, one that was not looked at lately is laid to rest. */
  wakes(sleeper: Sleeper): void;
}

/** Room for the largest clusters to be judged with everybody awake; about 10 MB. */
const awakeAtMost = 2_000;

/** Makes the place that all clusters of a process share. */
export function createRestingPlace(packer = createPacker(), most = awakeAtMost): RestingPlace {
  const awake: Sleeper[] = [];
  let hand = 0;

  /** The clock's hand: whoever was looked at since it last came by is passed over. */
  function next(): number {
    for (;;) {
      const place = hand;
      hand = (hand + 1) % most;
      const sleeper = awake[place];
      if (!sleeper?.lookedAt) return place;
      sleeper.lookedAt = false;
    }
  }

  return {
    packer,
    wakes(sleeper) {
      if (awake.length < most) {
        awake.push(sleeper);
        return;
      }
      const place = next();
      awake[place]?.rest();
      awake[place] = sleeper;
    },
  };
}
