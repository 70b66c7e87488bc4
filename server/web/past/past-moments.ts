import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import type { Within } from '#lib/domain/access/within.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import type { FleetCache } from '../cache/fleet-cache.ts';
import type { Past, PastMoment } from '../present.ts';
import type { AskedMoment, PastPart } from './kept-moments.ts';
import { vouchedNow } from './past-fleet-cache.ts';

/** Answers of past moments over one store. */
export interface PastAnswers {
  /** Reads a moment; rejects where the record cannot be read. */
  moment(asked: AskedMoment): Promise<PastMoment>;
  close(): Promise<void>;
}

/** Sources of the past. */
export interface PastMomentsDeps {
  /** The present one. */
  readonly fleetCache: FleetCache;
  readonly clock: Clock;
  readonly log: Log;
  /** null while the store cannot be read. */
  readonly reader: () => StoreReader | null;
  /** Opens what answers over the store that `reader` reads now; rejects where it cannot. */
  readonly open: (store: StoreReader) => Promise<PastAnswers>;
}

/** Past moments, and the end of them. */
export interface PastMoments {
  /** Opens what answers, where the store can be read: the first question need not wait for it. */
  prepare(): Promise<void>;
  /** A moment (ms) as who sees this of the fleet has it; null for all of it. */
  at(time: number, part: PastPart | null): Promise<Past>;
  stop(): Promise<void>;
}

/** Answers any past moment, through the very same endpoints as the present. */
export function pastMoments({ fleetCache, clock, log, reader, open }: PastMomentsDeps): PastMoments {
  let opened: { readonly store: StoreReader; readonly answers: Promise<PastAnswers> } | null = null;

  async function stop(): Promise<void> {
    const old = opened;
    opened = null;
    const answers = await old?.answers.catch(() => null);
    await answers?.close();
  }

  function answersOf(store: StoreReader): Promise<PastAnswers> {
    if (opened?.store === store) return opened.answers;
    void stop();
    const answers = open(store);
    opened = { store, answers };
    return answers;
  }

  async function prepare(): Promise<void> {
    const store = reader();
    if (!store) return;
    try {
      await answersOf(store);
    } catch (error) {
      log.warn({ err: error }, 'past moments cannot be answered');
      if (opened?.store === store) await stop();
    }
  }

  async function at(time: number, part: PastPart | null): Promise<Past> {
    const within = part?.within ?? null;
    const now = clock.now();
    if (time > now) return { type: 'future', now };
    const store = reader();
    if (!store) return { type: 'unreadable' };
    try {
      const since = await store.record.since(scopeWithin({ clusters: null }, within));
      if (since === null || time < since) return { type: 'before-record', since };
      const answers = await answersOf(store);
      const moment = await answers.moment({ at: time, vouched: vouchedNow(fleetCache), part });
      return { type: 'past', moment, beside: (scope) => store.record.changesBeside(time, scopeWithin(scope, within)) };
    } catch (error) {
      log.warn({ err: error, at: time }, 'the record cannot be read');
      // Its thread may have ended: the next question opens another.
      if (opened?.store === store) await stop();
      return { type: 'unreadable' };
    }
  }

  return { prepare, at, stop };
}

function scopeWithin(scope: RecordScope, within: Within | null): RecordScope {
  return within === null ? scope : { ...scope, within };
}
