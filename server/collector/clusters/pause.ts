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
export function childAbort(parent: AbortSignal): { readonly controller: AbortController; release(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (parent.aborted) abort();
  else parent.addEventListener('abort', abort);
  return { controller, release: () => parent.removeEventListener('abort', abort) };
}
