import { systemClock, type Clock } from '#server/runtime/clock.ts';

/**
 * The machine's clock, running `factor` times as fast since `startedAt` (ms): an hour of waiting fits into a test, for all
 * that share it, also in other processes.
 */
export function fastClock(factor: number, startedAt = Date.now()): Clock {
  return {
    now: () => startedAt + Math.round((Date.now() - startedAt) * factor),
    after: (delay, task) => systemClock.after(delay / factor, task),
  };
}

/** The machine's clock, which a test may put forward. */
export function skewedClock(): Clock & { forward(ms: number): void } {
  let skew = 0;
  return { ...systemClock, now: () => Date.now() + skew, forward: (ms) => void (skew += ms) };
}
