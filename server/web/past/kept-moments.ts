import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import type { Within } from '#lib/domain/access/within.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { ConfiguredRepository } from '#lib/git-host/git-links.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { remoteGit } from '#server/git/port/remote-git.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { knownMoment, type KnownMoment } from '../fleet/known-moment.ts';
import { sharedGit } from '../git/shared-git.ts';
import { linksOf } from '../wire/wire-context.ts';
import { sightOf } from '../worlds/sight.ts';
import { worldMoment, type WholeMoment } from '../worlds/world-moment.ts';
import { keptAnswers } from './kept-answers.ts';
import { pastFleetCache, type Vouched } from './past-fleet-cache.ts';
import { readerAsOf } from './reader-as-of.ts';

/** Settings for answering of the past, all of them plain data. */
export interface PastSettings {
  readonly policy: Policy;
  readonly repositories: readonly ConfiguredRepository[];
  readonly simulated: boolean;
  /** The socket of the git process. */
  readonly gitSocket: string;
}

/**
 * The part of a past moment that may be seen. `repositories`: the keys of those that may be told, which are those of the present: from what something was built then is
 * not kept, but what it names now.
 */
export interface PastPart {
  readonly within: Within;
  readonly repositories: readonly string[];
}

/** A past moment (ms) that is asked for, and what the present says of it. */
export interface AskedMoment {
  readonly at: number;
  readonly vouched: Vouched;
  /** The part of it that may be seen by whoever asks; null for all of it. */
  readonly part: PastPart | null;
}

/** So long a moment is kept (ms): steps back and forth are quick, and what was purged or written late is soon so here. */
const lifetime = 30_000;
const mostMoments = 16;
const mostObjects = 150_000;

/** Gives the past moments of a store, each of them as any other moment, with a clock that stands there. Rejects where the record cannot be read. */
export function keptMoments(
  store: StoreReader,
  { policy: present, repositories, simulated, gitSocket }: PastSettings,
  clock: Clock,
): (asked: AskedMoment) => Promise<KnownMoment> {
  // Which work was planned then is not kept: what is planned now says nothing of it.
  const policy: Policy = { ...present, maintenance: [] };
  const links = linksOf(repositories);
  const git = sharedGit(remoteGit(gitSocket), () => clock.now());
  const alarms = unknownAlarms('not-kept');
  const kept = keptAnswers<WholeMoment>({ clock, lifetime, most: mostMoments, weight: mostObjects });
  const worlds = keptAnswers<KnownMoment>({ clock, lifetime, most: mostMoments, weight: mostObjects });

  async function make({ at, vouched }: AskedMoment): Promise<{ answer: WholeMoment; weight: number }> {
    const fleetCache = pastFleetCache(await store.record.stateAt(at, { clusters: null }), vouched);
    const asOf = readerAsOf(store, at);
    const made = {
      fleetCache,
      fleet: knownFleet(fleetCache, policy, alarms),
      alarms,
      clock: { now: () => at, after: clock.after },
      policy,
      links,
      simulated,
      git,
      reader: () => asOf,
      trouble: () => null,
    };
    return { answer: { known: knownMoment(made), made }, weight: fleetCache.size() };
  }

  return async (asked) => {
    const { at, part } = asked;
    const whole = await kept.get(at, () => make(asked));
    if (part === null) return whole.known;
    const sight = sightOf(part.within);
    return worlds.get(`${at} ${JSON.stringify(part)}`, async () => {
      const { known: answer } = worldMoment(whole, () => sight, part.repositories);
      return { answer, weight: answer.fleetCache.size() };
    });
  };
}
