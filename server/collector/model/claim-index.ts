import type { RefKey } from '#lib/domain/ref.ts';

/** Who claims what, things by number, kept so that what more than one claims is known at once. */
export interface ClaimIndex {
  claim(thing: number, by: RefKey): void;
  release(thing: number, by: RefKey): void;
  /** What more than one claims, with all who do. */
  readonly contested: ReadonlyMap<number, readonly RefKey[]>;
}

/**
 * Starts an empty index. `changed` hears of every change of who contests a thing, with all whom it concerns.
 * Nearly everything has one owner, who is then held without a list around it: there are millions of things.
 */
export function createClaimIndex(changed: (owners: readonly RefKey[]) => void): ClaimIndex {
  const single = new Map<number, RefKey>();
  const contested = new Map<number, readonly RefKey[]>();
  return {
    contested,
    claim(thing, by) {
      const several = contested.get(thing);
      const one = single.get(thing);
      if (several?.includes(by) || one === by) return;
      if (several === undefined && one === undefined) {
        single.set(thing, by);
        return;
      }
      single.delete(thing);
      const owners = [...(several ?? []), ...(one === undefined ? [] : [one]), by];
      contested.set(thing, owners);
      changed(owners);
    },
    release(thing, by) {
      if (single.get(thing) === by) single.delete(thing);
      const several = contested.get(thing);
      if (!several?.includes(by)) return;
      const left = several.filter((owner) => owner !== by);
      const [last] = left;
      if (left.length > 1) contested.set(thing, left);
      else contested.delete(thing);
      if (left.length === 1 && last !== undefined) single.set(thing, last);
      changed(several);
    },
  };
}
