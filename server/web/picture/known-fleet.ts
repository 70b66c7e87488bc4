import type { Policy } from '#lib/domain/guarantee.ts';
import type { BuiltCluster, KnownCluster } from './known-cluster.ts';
import { buildKnown } from './known-cluster.ts';
import type { Picture, Shelf } from './picture.ts';

/** The picture through the clock, cluster by cluster; what has not changed is not judged again. */
export interface KnownFleet {
  /** One cluster as known at `now` (ms); null where there is none of that name. */
  cluster(name: string, now: number): KnownCluster | null;
  /** All clusters, by name. */
  all(now: number): readonly KnownCluster[];
  /** Another number whenever any cluster has another stamp, came or went. */
  stamp(now: number): number;
}

/** Makes the reader of a picture. A dead collector needs no write to be seen: proof that runs out makes a new stamp. */
export function knownFleet(picture: Picture, policy: Policy): KnownFleet {
  const built = new Map<string, BuiltCluster>();
  let stamps = 0;
  let fleetStamp = 0;
  let names: readonly string[] = [];
  let lastOf = '';

  function holds(known: BuiltCluster, shelf: Shelf, now: number): boolean {
    if (known.revision !== shelf.revision || now >= known.expiresAt) return false;
    return !known.expired || known.renewal === shelf.renewal;
  }

  function ofShelf(shelf: Shelf, now: number): BuiltCluster {
    const found = built.get(shelf.name);
    if (found && holds(found, shelf, now)) return found;
    const made = buildKnown(shelf, policy, now, ++stamps);
    built.set(shelf.name, made);
    return made;
  }

  function all(now: number): readonly BuiltCluster[] {
    const shelves = [...picture.shelves()];
    const present = shelves
      .map((shelf) => shelf.name)
      .toSorted()
      .join('/');
    if (present !== lastOf) {
      lastOf = present;
      stamps += 1;
      names = present === '' ? [] : present.split('/');
      for (const name of built.keys()) if (!picture.shelf(name)) built.delete(name);
    }
    const known = names.flatMap((name) => {
      const shelf = picture.shelf(name);
      return shelf ? [ofShelf(shelf, now)] : [];
    });
    fleetStamp = stamps;
    return known;
  }

  return {
    cluster(name, now) {
      const shelf = picture.shelf(name);
      return shelf ? ofShelf(shelf, now) : null;
    },
    all,
    stamp(now) {
      all(now);
      return fleetStamp;
    },
  };
}
