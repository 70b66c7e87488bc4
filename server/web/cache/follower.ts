import { setImmediate } from 'node:timers/promises';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Cursor, FollowAnswer, StoreReader } from '#server/store/port/port.ts';
import type { AlarmCache } from '../alarms/alarm-cache.ts';
import { divided } from '../alarms/alarm-change.ts';
import type { LiveFleetCache } from './fleet-cache.ts';

/** Access to a store that may not be there yet, or be another one by now. */
export interface StoreSource {
  /** Opens it read-only; throws or rejects where it cannot. */
  open(): StoreReader | Promise<StoreReader>;
  /** Tells one store from another that took its place (device and inode of the file); null where there is none now. */
  identity(): string | null;
  /** Reason, for people, why it cannot be written at `now` (ms); null where all is well or nobody says. */
  condition(now: number): string | null;
}

/** Keeps the fleet cache and the alarms in step with the store. */
export interface Follower {
  stop(): Promise<void>;
  /** The open store for what the cache does not hold; null while there is none. */
  reader(): StoreReader | null;
  /** True if the fleet cache has once caught up with the store that is there now. */
  synced(): boolean;
  /** When the store that is there now was read last to its end (ms); null where it never was. */
  readAt(): number | null;
  /** Why the store cannot be read, for people; null where it can. */
  trouble(): string | null;
  /** Why nothing is written into the store, for people; null where all is well or nobody says. */
  condition(): string | null;
}

/** Parameters of `startFollower`. Durations in ms. */
export interface FollowerDeps {
  readonly source: StoreSource;
  readonly fleetCache: LiveFleetCache;
  /** Takes what the store has of alarms; absent where nobody asks for them. */
  readonly alarmCache?: Pick<AlarmCache, 'apply' | 'clear' | 'settle'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after changes were applied. */
  readonly onChanges?: () => void;
  readonly every?: number;
  readonly retryAfter?: number;
  /** Changes in one step; between two steps other work of the process gets its turn. */
  readonly chunk?: number;
}

/** Holds the store that is open. */
function heldStore(source: StoreSource, log: Log) {
  let reader: StoreReader | null = null;
  let identity: string | null = null;

  async function letGo(): Promise<void> {
    const old = reader;
    reader = null;
    await old?.close().catch((error: unknown) => log.debug({ error }, 'store did not close'));
  }

  return {
    reader: () => reader,
    /** The store that is there now, opened where it is not; `replaced` where another one was followed before. Throws where there is none. */
    async open(): Promise<{ readonly reader: StoreReader; readonly replaced: boolean }> {
      const present = source.identity();
      if (reader && present === identity) return { reader, replaced: false };
      if (reader) await letGo();
      if (present === null) throw new Error('The store is not there yet.');
      const opened = await source.open();
      const replaced = identity !== null && identity !== present;
      identity = present;
      reader = opened;
      return { reader: opened, replaced };
    },
    letGo,
  };
}

/** Applies what was read; true if what is told may be another now. Alarms count when all is read: what was half read would call an object silent. */
function takeIn({ changes, more }: FollowAnswer, { fleetCache, alarmCache }: FollowerDeps): boolean {
  const { ofAlarms, others } = divided(changes);
  fleetCache.apply(others);
  alarmCache?.apply(ofAlarms);
  const settled = !more && alarmCache?.settle() === true;
  return settled || changes.length > 0;
}

/**
 * Follows the store: every 200 ms asks for what is newer, in bounded chunks until there is no more.
 * A store that is missing, damaged or replaced is said in `trouble` and tried again each second; what is in the cache
 * stays there meanwhile and expires by itself. A replaced store starts the cache anew.
 */
export function startFollower(deps: FollowerDeps): Follower {
  const { source, fleetCache, alarmCache, clock, log, onChanges } = deps;
  const { every = 200, retryAfter = 1_000, chunk = 5_000 } = deps;
  const store = heldStore(source, log);
  let cursor: Cursor | null = null;
  let readAt: number | null = null;
  let trouble: string | null = null;
  let condition: string | null = null;
  let stopped = false;
  let timer: Timer | null = null;
  let turn: Promise<void> = Promise.resolve();

  function say(next: string | null): void {
    if (next === trouble) return;
    if (next === null) log.info({}, 'store is being read');
    else log.warn({ reason: next }, 'store cannot be read');
    trouble = next;
  }

  function forget(): void {
    fleetCache.clear();
    alarmCache?.clear();
    readAt = null;
  }

  async function step(): Promise<void> {
    const { reader, replaced } = await store.open();
    if (replaced) {
      forget();
      cursor = null;
    }
    for (;;) {
      if (stopped) return;
      const answer = await reader.follow(cursor, chunk);
      if (answer.reset) forget();
      if (takeIn(answer, deps)) onChanges?.();
      cursor = answer.cursor;
      if (!answer.more) break;
      await setImmediate();
    }
    readAt = clock.now();
    say(null);
  }

  async function round(): Promise<void> {
    let wait = every;
    try {
      await step();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
      await store.letGo();
      wait = retryAfter;
    }
    const now = source.condition(clock.now());
    if (now !== condition) {
      condition = now;
      onChanges?.();
    }
    if (!stopped) timer = clock.after(wait, begin);
  }

  function begin(): void {
    turn = round();
  }

  begin();
  return {
    async stop() {
      stopped = true;
      timer?.cancel();
      await turn;
      await store.letGo();
    },
    reader: store.reader,
    synced: () => readAt !== null,
    readAt: () => readAt,
    trouble: () => trouble,
    condition: () => condition,
  };
}
