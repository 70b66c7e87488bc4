import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { readCondition, writeCondition } from '#server/store/port/condition.ts';
import type { WriteResult } from '#server/store/port/port.ts';
import type { Pending } from './waiting-writes.ts';

/** State of the recorder. `blocked`: the store refuses what is given (disk full, read-only, ...), everything waits and is tried again. */
export type RecorderState =
  | { readonly type: 'writing' }
  | { readonly type: 'blocked'; readonly refusal: WriteResult; readonly since: number; readonly attempts: number };

/** Tells if the store takes writes, as its file tells others beside it. */
export type StoreState = ReturnType<typeof createStoreState>;

const firstBackoff = 250;
const longestBackoff = 10_000;

/** Starts with a store that takes writes. */
export function createStoreState(path: string, clock: Clock, log: Log, pending: () => Pending) {
  let state: RecorderState = { type: 'writing' };
  let backoff = firstBackoff;
  /** Since when (ms) the store refused what a process before this one gave it, which ended before it was taken. */
  let earlier = refusedSince(path);
  if (earlier === null) writeCondition(path, state);
  return {
    now: (): RecorderState => state,
    accepted(): void {
      backoff = firstBackoff;
      if (state.type === 'writing' && earlier === null) return;
      const since = state.type === 'blocked' ? state.since : earlier;
      log.info({ blockedFor: clock.now() - (since ?? clock.now()) }, 'the store takes writes again');
      earlier = null;
      state = { type: 'writing' };
      writeCondition(path, state);
    },
    /** The store refused a write; gives how long to wait before the next attempt (ms). */
    refused(refusal: WriteResult): number {
      if (state.type === 'writing') {
        log.warn({ refusal, pending: pending() }, 'the store refuses writes; they wait and are tried again');
        state = { type: 'blocked', refusal, since: earlier ?? clock.now(), attempts: 1 };
      } else state = { ...state, refusal, attempts: state.attempts + 1 };
      const why = refusal.type === 'full' || refusal.type === 'read-only' ? refusal.type : 'failed';
      const message = 'message' in refusal ? refusal.message : '';
      writeCondition(path, { type: 'refusing', why, message, since: state.since, triedAt: clock.now() });
      const delay = backoff;
      backoff = Math.min(backoff * 2, longestBackoff);
      return delay;
    },
  };
}

function refusedSince(path: string): number | null {
  const said = readCondition(path);
  return said?.type === 'refusing' ? said.since : null;
}
