import type { Clock, Timer } from './clock.ts';

/** A clock for tests: time stands until `advance` moves it, running what falls due in order. */
export interface FakeClock extends Clock {
  /** Moves the time by `ms`, running every task that falls due at its own time. */
  advance(ms: number): void;
  /** Moves the time to `at` (ms since the epoch); a time in the past is a clock step and runs nothing. */
  set(at: number): void;
  /** Number of tasks that wait. */
  pending(): number;
}

interface Waiting {
  at: number;
  order: number;
  task: () => void;
}

/** Starts a fake clock at `start` (ms since the epoch). */
export function fakeClock(start = Date.UTC(2026, 10, 21, 2, 0, 0)): FakeClock {
  let now = start;
  let order = 0;
  const waiting = new Set<Waiting>();

  function due(until: number): Waiting | undefined {
    let first: Waiting | undefined;
    for (const entry of waiting) {
      if (entry.at > until) continue;
      if (!first || entry.at < first.at || (entry.at === first.at && entry.order < first.order)) first = entry;
    }
    return first;
  }

  function runUntil(until: number): void {
    for (let entry = due(until); entry; entry = due(until)) {
      waiting.delete(entry);
      now = Math.max(now, entry.at);
      entry.task();
    }
    now = until;
  }

  return {
    now: () => now,
    after(delay, task): Timer {
      const entry = { at: now + delay, order: order++, task };
      waiting.add(entry);
      return { cancel: () => void waiting.delete(entry) };
    },
    advance: (ms) => runUntil(now + ms),
    set(at) {
      if (at >= now) runUntil(at);
      else now = at;
    },
    pending: () => waiting.size,
  };
}
