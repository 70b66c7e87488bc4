/** Bounds of the streams of all worlds together. */
export interface ShareBounds {
  readonly streams: number;
  readonly hubs: number;
}

/** The room that the worlds of a process share: each has bounds of its own, but there are as many worlds as scopes. */
export interface StreamShare {
  /** True if one hub more may work. */
  hasHub(working: number): boolean;
  /** Takes one stream of a listener and gives what ends it; null where all together are full, or the listener has half of them. */
  take(by: string): (() => void) | null;
}

/** Makes it: whoever comes by many scopes has no more of it than by one. */
export function streamShare(most: ShareBounds): StreamShare {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    hasHub: (working) => working < most.hubs,
    take(by) {
      const own = taken.get(by) ?? 0;
      if (all >= most.streams || own >= Math.ceil(most.streams / 2)) return null;
      taken.set(by, own + 1);
      all += 1;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        all -= 1;
        const left = (taken.get(by) ?? 1) - 1;
        if (left === 0) taken.delete(by);
        else taken.set(by, left);
      };
    },
  };
}
