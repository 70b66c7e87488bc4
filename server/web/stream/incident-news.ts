import type { StreamFrame } from '#lib/api/stream.ts';
import { second } from '#lib/domain/time/length.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { wireNews } from '../incidents/wire-incident.ts';
import { wireTime } from '../wire/wire-time.ts';

/** Steps of one frame. */
const most = 100;
/** A verdict that changes moves the fleet, a plan that ends does not (ms). */
const atLeastEvery = 2 * second;

/** Where a store's news were read up to. */
interface Place {
  readonly store: StoreReader;
  readonly position: number;
  /** Stored history is being made into incidents: what is told of it is no news. */
  readonly making: boolean;
  /** There may be more already. */
  readonly more: boolean;
}

/**
 * Gives the frames of what happened to incidents since it was last called. It asks the store where the fleet has moved since, or after 2 s, and
 * never waits: what the store answers comes with the next call. `reset` says that what came before cannot be told step by step: at the
 * beginning, over another store, and once stored history has been made into incidents.
 */
export function incidentNews({ fleet, reader, now }: KnownMoment): () => readonly StreamFrame[] {
  let place: Place | null = null;
  let ready: StreamFrame | null = null;
  let asking = false;
  let asked = { stamp: -1, at: -Infinity };

  async function read(store: StoreReader): Promise<void> {
    const { record } = store;
    const making = (await record.incidentsUpTo()) !== null;
    const last = place?.store === store ? place : null;
    const from = last === null || last.making || making ? null : last.position;
    const { news, position, reset } = await record.incidentNews(from, most);
    place = { store, position, making, more: news.length === most };
    // While history is being made nobody need read everything again and again.
    const anew = last === null || reset || (last.making && !making);
    if (anew) ready = { type: 'reset', at: wireTime(now()) };
    else if (news.length > 0) ready = { type: 'incidents', news: news.map(wireNews) };
  }

  function ask(): void {
    const store = reader();
    const at = now();
    const stamp = fleet.stamp(at);
    const due =
      stamp !== asked.stamp || at - asked.at >= atLeastEvery || place?.more === true || place?.store !== store;
    if (store === null || asking || ready !== null || !due) return;
    asked = { stamp, at };
    asking = true;
    // A store that cannot be read is asked again; the follower says why it cannot.
    void read(store)
      .catch(() => undefined)
      .finally(() => (asking = false));
  }

  ask();
  return () => {
    const frames = ready === null ? [] : [ready];
    ready = null;
    ask();
    return frames;
  };
}
