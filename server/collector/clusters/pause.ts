import type { Clock } from '#server/runtime/clock.ts';

/** Resolves after `ms`, or at once when the signal is or gets aborted. Never rejects. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}

/** An abort controller that is also aborted by its parent; `release` lets go of the parent. */
export function childAbort(parent: AbortSignal) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (parent.aborted) abort();
  else parent.addEventListener('abort', abort);
  return { controller, release: (): void => parent.removeEventListener('abort', abort) };
}

/**
 * Pauses that can be cut short; between two of them there is nothing to wake. Pauses by a clock; none lasts beyond the
 * abort of the signal.
 */
export function createNap(clock: Clock, signal: AbortSignal) {
  let napping: AbortController | null = null;
  return {
    async pause(ms: number): Promise<void> {
      const { controller, release } = childAbort(signal);
      napping = controller;
      await pause(clock, ms, controller.signal);
      napping = null;
      release();
    },
    wake: (): void => napping?.abort(),
  };
}
