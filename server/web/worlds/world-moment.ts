import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import type { Find } from '../commits/build-of.ts';
import { knownMoment, type KnownMoment, type KnownMomentDeps } from '../fleet/known-moment.ts';
import { worldAlarms } from './alarms/world-alarms.ts';
import { gitWithin } from './git-within.ts';
import { objectWithin } from './hide/object.ts';
import { namedRepositories, type ProvenRepositories, provenRepositories } from './proven-repositories.ts';
import { readerWithin } from './record/reader-within.ts';
import type { SightNow } from './sight.ts';
import { worldCache } from './world-cache.ts';
import { worldFleet } from './world-fleet.ts';

/** A moment of the whole fleet, and what it was made from. */
export interface WholeMoment {
  readonly known: KnownMoment;
  readonly made: KnownMomentDeps;
}

/** A moment as a sight has it, and the repositories from which something in it is proven to be built. */
export interface SeenMoment {
  readonly known: KnownMoment;
  readonly built: () => Promise<ProvenRepositories>;
}

/**
 * A moment as a sight has it: of what lies outside nothing can be asked of it. How large the record is, is told to who sees all of it. `proven`: the keys of the
 * repositories of which it may tell; null where it proves them itself, which only the present can.
 */
export function worldMoment(
  { known: whole, made }: WholeMoment,
  sightNow: SightNow,
  proven: readonly string[] | null = null,
): SeenMoment {
  const { clock, policy, links, simulated, trouble } = made;
  const fleetCache = worldCache(made.fleetCache, sightNow);
  const fleet = worldFleet(made.fleet, sightNow, policy);
  const alarms = worldAlarms({ alarms: made.alarms, find: whole.find }, sightNow);
  const now = (): number => clock.now();
  const find: Find = (ref) => whole.find(ref, now());
  const built = proven === null ? provenRepositories({ git: made.git, fleet, find, now }) : namedRepositories(proven);
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
    ...knownMoment({
      fleetCache,
      fleet,
      alarms,
      clock,
      policy,
      links: linksTo(proven, links),
      simulated,
      git,
      reader,
      trouble,
      ...(made.boards && { boards: made.boards }),
    }),
    // Whether somebody is called for it is known by all that is known of it.
    find(ref, now) {
      const sight = sightNow();
      const found = sight.sees(ref) ? whole.find(ref, now) : null;
      return found === null ? null : objectWithin(found, sight);
    },
  };
  return { known, built };
}

/** Links to the repositories of these keys alone; null: to all. */
function linksTo(proven: readonly string[] | null, links: KnownMomentDeps['links']): KnownMomentDeps['links'] {
  if (proven === null) return links;
  const keys = new Set(proven);
  return (url) => (keys.has(repositoryKey(url)) ? links(url) : null);
}
