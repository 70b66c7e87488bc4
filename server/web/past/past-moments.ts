import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import { knownMoment, type KnownMoment } from '../fleet/known-moment.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import type { FleetCache } from '../cache/fleet-cache.ts';
import type { Past } from '../present.ts';
import type { LinksOf } from '../wire/wire-context.ts';
import { keptAnswers, type KeptAnswers } from './kept-answers.ts';
import { pastFleetCache } from './past-fleet-cache.ts';
import { readerAsOf } from './reader-as-of.ts';

/** Sources of the past. */
export interface PastMomentsDeps {
  /** The present one. */
  readonly fleetCache: FleetCache;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: Policy;
  readonly links: LinksOf;
  readonly simulated: boolean;
  /** null while the store cannot be read. */
  readonly reader: () => StoreReader | null;
}

/** So long a moment is kept (ms): steps back and forth are quick, and what was purged or written late is soon so here. */
const lifetime = 30_000;
const mostMoments = 16;
const mostObjects = 150_000;
const everything: RecordScope = { clusters: null };

/** Answers of any past moment, through the very same endpoints as the present, with a clock that stands there. */
export function pastMoments(deps: PastMomentsDeps): (at: number) => Promise<Past> {
  const { fleetCache, clock, log, links, simulated, reader } = deps;
  // Which work was planned then is not kept: what is planned now says nothing of it.
  const policy: Policy = { ...deps.policy, maintenance: [] };
  let kept: { readonly store: StoreReader; readonly answers: KeptAnswers<KnownMoment> } | null = null;

  function answersOf(store: StoreReader): KeptAnswers<KnownMoment> {
    if (kept?.store !== store)
      kept = { store, answers: keptAnswers({ clock, lifetime, most: mostMoments, weight: mostObjects }) };
    return kept.answers;
  }

  async function make(store: StoreReader, at: number): Promise<{ answer: KnownMoment; weight: number }> {
    const recorded = await store.record.stateAt(at, everything);
    const then = pastFleetCache(recorded, fleetCache);
    const asOf = readerAsOf(store, at);
    const answer = knownMoment({
      fleetCache: then,
      fleet: knownFleet(then, policy),
      clock: { now: () => at, after: clock.after },
      policy,
      links,
      simulated,
      reader: () => (reader() === store ? asOf : null),
      trouble: () => null,
    });
    return { answer, weight: then.size() };
  }

  return async (at) => {
    const now = clock.now();
    if (at > now) return { type: 'future', now };
    const store = reader();
    if (!store) return { type: 'unreadable' };
    try {
      const since = await store.record.since(everything);
      if (since === null || at < since) return { type: 'before-record', since };
      const moment = await answersOf(store).get(at, () => make(store, at));
      return { type: 'past', moment, beside: (scope) => store.record.changesBeside(at, scope) };
    } catch (error) {
      log.warn({ err: error, at }, 'the record cannot be read');
      return { type: 'unreadable' };
    }
  };
}
