import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import { pause } from '../../clusters/pause.ts';
import type { Outbox, Present } from './outbox.ts';

/** A batch that could not be stored is tried again after this (ms). */
const writeAgainAfter = 5_000;

/** While a batch waits longer than this to be stored, nothing new is read (ms). */
const longestWrite = 30_000;

/** Batches that are stored one after the other, at most: what still comes meanwhile is stored the next time. */
const batchesAtOnce = 100;

/** Needed to store what a source tells. */
interface StoringDeps {
  readonly source: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly outbox: Outbox;
  readonly present: () => Present;
  readonly write: (batch: AlarmBatch) => Promise<void>;
  readonly onStored: (batch: AlarmBatch) => void;
}

/** Stores what differs from what is stored, one batch after the other, until the signal is aborted. */
export function createStoring({ source, clock, log, signal, outbox, present, write, onStored }: StoringDeps) {
  let writing: Promise<void> | null = null;
  let waits = false;
  /** Since when a batch is being stored that is not yet; null where none is. */
  let unstoredSince: number | null = null;

  /** Stores all that is known now; gives false where it could not be stored. */
  async function once(): Promise<boolean> {
    for (let left = batchesAtOnce; left > 0; left--) {
      if (!(await one())) return false;
      if (!outbox.hasMore()) break;
    }
    return true;
  }

  async function one(): Promise<boolean> {
    const next = outbox.batch(present(), clock.now());
    if (next === null) return true;
    unstoredSince ??= clock.now();
    try {
      await write(next.batch);
      next.written();
      unstoredSince = null;
      onStored(next.batch);
      return true;
    } catch (error) {
      log.warn({ source, error: String(error) }, 'what an alarm source told could not be stored');
      unstoredSince = -Infinity;
      return false;
    }
  }

  async function all(): Promise<void> {
    while (waits && !signal.aborted) {
      waits = false;
      if (await once()) continue;
      waits = true;
      await pause(clock, writeAgainAfter, signal);
    }
    writing = null;
  }

  return {
    once,
    /** Something may differ. */
    soon(): void {
      waits = true;
      writing ??= all();
    },
    /** False while what was told before cannot be stored: more of it would only be forgotten. */
    keepsUp: (): boolean => unstoredSince === null || clock.now() - unstoredSince < longestWrite,
    /** Resolves when nothing is being stored. */
    ended: async (): Promise<void> => void (await writing),
  };
}
