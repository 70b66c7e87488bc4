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
  /** It has been woken: where too many are awake, one that was not looked at lately is laid to rest. */
  wakes(sleeper: Sleeper): void;
  /** It is new and will be looked at once more, by its first judgement: it stays awake until then, while there is room. */
  welcomes(sleeper: Sleeper): void;
  /** Its first judgement is over: it is one of those that were woken. */
  settles(sleeper: Sleeper): void;
  /** It is gone. */
  leaves(sleeper: Sleeper): void;
}

/** Room for the largest clusters to be judged with everybody awake; about 10 MB. */
const awakeAtMost = 2_000;

/**
 * Room for what the clusters that are looked at for the first time together have: packed before it was judged, it would be unpacked
 * for that and packed again. About 300 MB while it is full, and nothing after a first sync.
 */
const newAtMost = 60_000;

/** Makes the place that all clusters of a process share. */
export function createRestingPlace(packer = createPacker(), most = awakeAtMost, mostNew = newAtMost): RestingPlace {
  const unjudged = new Set<Sleeper>();
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

  function wakes(sleeper: Sleeper): void {
    if (awake.length < most) {
      awake.push(sleeper);
      return;
    }
    const place = next();
    awake[place]?.rest();
    awake[place] = sleeper;
  }

  return {
    packer,
    wakes,
    welcomes(sleeper) {
      if (unjudged.size < mostNew) unjudged.add(sleeper);
      else wakes(sleeper);
    },
    settles(sleeper) {
      if (unjudged.delete(sleeper)) wakes(sleeper);
    },
    leaves: (sleeper) => void unjudged.delete(sleeper),
  };
}
