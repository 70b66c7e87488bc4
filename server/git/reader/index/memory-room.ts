/** One index that takes part in the room. */
export interface RoomMember {
  /** Clusters name its repository, and not the configuration: it goes before all that are configured. */
  readonly isFound: boolean;
  /** Memory that it takes, in bytes and about. */
  weight(): number;
  /** Lets go of all that it keeps. */
  letGo(): void;
}

/** Memory that the indexes of all repositories share: each has its own bounds, and fifty that fill theirs would end the process. */
export interface MemoryRoom {
  /** Takes part; gives what ends it. */
  enter(member: RoomMember): () => void;
  /** Makes room for a member that is read from the beginning; false where others would have to go that may not. */
  reserve(member: RoomMember): boolean;
  /** A member was read as far as it goes: the largest go, those that were found first, until all others fit. */
  settle(member: RoomMember): void;
  /** True where so many bytes fit beside all others, and nobody has to go once another is read. */
  fits(bytes: number): boolean;
}

/** Bytes of all together, and of one while it is read: it may take as much. */
export interface RoomBounds {
  readonly all: number;
  readonly reading: number;
}

/** Two are read at once at most, one of those that are configured and one that was found: a heap of 1 GiB holds it. */
const usual: RoomBounds = { all: 640_000_000, reading: 240_000_000 };

/** An empty room. */
export function createMemoryRoom({ all, reading }: RoomBounds = usual): MemoryRoom {
  const members = new Set<RoomMember>();
  const underWay = new Set<RoomMember>();

  function taken(): number {
    let sum = 0;
    for (const member of members) sum += underWay.has(member) ? Math.max(reading, member.weight()) : member.weight();
    return sum;
  }

  /** Who goes for `self`: the largest, and nobody that is configured for one that was found. */
  function next(self: RoomMember): RoomMember | undefined {
    const others = [...members].filter((one) => one !== self && !underWay.has(one) && one.weight() > 0);
    const found = others.filter(({ isFound }) => isFound);
    const may = found.length > 0 || self.isFound ? found : others;
    return may.toSorted((a, b) => b.weight() - a.weight())[0];
  }

  return {
    enter(member) {
      members.add(member);
      return () => {
        members.delete(member);
        underWay.delete(member);
      };
    },
    reserve(member) {
      underWay.add(member);
      while (taken() > all) {
        const other = next(member);
        if (other === undefined) {
          underWay.delete(member);
          return false;
        }
        other.letGo();
      }
      return true;
    },
    settle(member) {
      underWay.delete(member);
      while (taken() > all) {
        const other = next(member);
        const isLargest = other === undefined || (member.isFound && member.weight() >= other.weight());
        (isLargest ? member : other).letGo();
        if (isLargest) return;
      }
    },
    fits: (bytes) => taken() + Math.max(bytes, reading) <= all,
  };
}
