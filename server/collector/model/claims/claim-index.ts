import type { RefKey } from '#lib/domain/observation/ref.ts';

/** Hears that somebody came to contest a thing, or lets go of it; `owners`: all who do now, or did until now. */
export type Contest = (change: {
  readonly thing: number;
  readonly by: RefKey;
  readonly type: 'begins' | 'joins' | 'leaves' | 'ends';
  readonly owners: ReadonlySet<RefKey>;
}) => void;

/**
 * Who claims what, things by number, kept so that what more than one claims is known at once. Starts an empty index.
 * Nearly everything has one owner, who is then held without a set around it: there are millions of things.
 */
export function createClaimIndex(changed: Contest) {
  const single = new Map<number, RefKey>();
  const contested = new Map<number, Set<RefKey>>();
  return {
    /** Resources that more than one claims, with all who do. */
    contested,
    claim(thing: number, by: RefKey): void {
      const several = contested.get(thing);
      if (several) {
        if (several.has(by)) return;
        several.add(by);
        changed({ thing, by, type: 'joins', owners: several });
        return;
      }
      const one = single.get(thing);
      if (one === undefined) single.set(thing, by);
      if (one === undefined || one === by) return;
      single.delete(thing);
      const owners = new Set([one, by]);
      contested.set(thing, owners);
      changed({ thing, by, type: 'begins', owners });
    },
    release(thing: number, by: RefKey): void {
      if (single.get(thing) === by) single.delete(thing);
      const several = contested.get(thing);
      if (!several?.has(by)) return;
      if (several.size > 2) {
        several.delete(by);
        changed({ thing, by, type: 'leaves', owners: several });
        return;
      }
      contested.delete(thing);
      for (const left of several) if (left !== by) single.set(thing, left);
      changed({ thing, by, type: 'ends', owners: several });
    },
  };
}
