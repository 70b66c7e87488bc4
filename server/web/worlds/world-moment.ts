import { LRUCache } from 'lru-cache';
import type { StoreReader } from '#server/store/port/port.ts';
import { type FleetRepository, repositoriesOf } from '../commits/fleet-repositories.ts';
import { knownMoment, type KnownMoment, type KnownMomentDeps } from '../fleet/known-moment.ts';
import { worldAlarms } from './alarms/world-alarms.ts';
import { gitWithin } from './git-within.ts';
import { objectWithin } from './hide/object.ts';
import { type ProvenBuilds, provenBuilds } from './proven-builds.ts';
import { readerWithin } from './record/reader-within.ts';
import type { SightNow } from './sight.ts';
import { worldCache } from './world-cache.ts';
import { worldFleet } from './world-fleet.ts';

/** A moment of the whole fleet, and what it was made from. */
export interface WholeMoment {
  readonly known: KnownMoment;
  readonly made: KnownMomentDeps;
}

/** A moment as a sight has it, and what is built from repositories in it. */
export interface SeenMoment {
  readonly known: KnownMoment;
  readonly built: ProvenBuilds;
}

/** A moment as a sight has it: of what lies outside nothing can be asked of it. How large the record is, is told to who sees all of it. */
export function worldMoment({ known: whole, made }: WholeMoment, sightNow: SightNow): SeenMoment {
  const { clock, policy, links, simulated, trouble } = made;
  const fleetCache = worldCache(made.fleetCache, sightNow);
  const fleet = worldFleet(made.fleet, sightNow, policy);
  const alarms = worldAlarms({ alarms: made.alarms, find: whole.find }, sightNow);
  const repositories = new LRUCache<number, readonly FleetRepository[]>({
    max: 1,
    memoMethod: () => repositoriesOf(fleet.all(clock.now())),
  });
  const built = provenBuilds(made.git, () => repositories.memo(fleet.stamp(clock.now())));
  const git = gitWithin(made.git, built);
  const readers = new WeakMap<StoreReader, StoreReader>();

  function reader(): StoreReader | null {
    const store = made.reader();
    if (store === null) return null;
    const found = readers.get(store) ?? readerWithin(store, sightNow);
    readers.set(store, found);
    return found;
  }

  const known: KnownMoment = {
    ...knownMoment({ fleetCache, fleet, alarms, clock, policy, links, simulated, git, reader, trouble }),
    // Whether somebody is called for it is known by all that is known of it.
    find(ref, now) {
      const sight = sightNow();
      const found = sight.sees(ref) ? whole.find(ref, now) : null;
      return found === null ? null : objectWithin(found, sight);
    },
  };
  return { known, built };
}
