import { statSync } from 'node:fs';
import type { Clock } from '#server/runtime/clock.ts';
import { minute, second } from '#lib/domain/time/length.ts';

/** Options of the room. Bytes, and times in ms. */
interface LogRoomOptions {
  readonly clock: Clock;
  /** Size of the write-ahead log now. */
  readonly sizeOf: () => number;
  /** Size from which it is made to begin anew. */
  readonly most?: number;
}

/** Looked at this often. */
const lookEach = second;
/** Nothing is asked for so long, at most, that the log can begin anew. */
const longestQuiet = 2 * second;
const pollEach = 20;
/** Long questions that have begun may take so long; then all goes on as it is, and is tried again later. */
const longestDrain = 5 * minute;
/** Where it did not begin anew it is tried again once it has grown by so much. */
const grownBy = 1.5;

/** Size of the write-ahead log of a store. */
export function logSizeOf(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Lets the write-ahead log begin anew now and then. It cannot while anybody reads what it holds, and questions of one reader, each begun before the last has
 * ended, had let it grow without end. Once it is large no long question begins until those under way have ended; then nothing is asked for a moment, in
 * which whoever writes brings all of it into the file.
 */
export function logRoom({ clock, sizeOf, most = 256 * 2 ** 20 }: LogRoomOptions) {
  let state: 'open' | 'draining' | 'quiet' = 'open';
  const underWay = { long: 0, short: 0 };
  let waiting: (() => void)[] = [];
  let lookedAt = -Infinity;
  let triedAt = 0;

  function open(): void {
    state = 'open';
    triedAt = sizeOf();
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  }

  function look(): void {
    const now = clock.now();
    if (state !== 'open' || Math.abs(now - lookedAt) < lookEach) return;
    lookedAt = now;
    const size = sizeOf();
    if (size < most) triedAt = 0;
    if (size < Math.max(most, grownBy * triedAt)) return;
    state = 'draining';
    const drain = clock.after(longestDrain, () => {
      if (state === 'draining') open();
    });
    stopDrain = () => drain.cancel();
    quieten();
  }
  let stopDrain = (): void => undefined;

  function quieten(): void {
    if (state !== 'draining' || underWay.long > 0) return;
    stopDrain();
    state = 'quiet';
    poll(Math.ceil(longestQuiet / pollEach));
  }

  function poll(left: number): void {
    if (left === 0 || (underWay.short === 0 && sizeOf() < most)) open();
    else clock.after(pollEach, () => poll(left - 1));
  }

  return {
    /** Asks now, or once the log has begun anew. */
    async ask<Answer>(length: 'long' | 'short', question: () => Promise<Answer>): Promise<Answer> {
      look();
      if (state === 'quiet' || (state === 'draining' && length === 'long'))
        await new Promise<void>((go) => void waiting.push(go));
      underWay[length] += 1;
      try {
        return await question();
      } finally {
        underWay[length] -= 1;
        quieten();
      }
    },
  };
}
