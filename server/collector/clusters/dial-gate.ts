import type { Clock } from '#server/runtime/clock.ts';

/**
 * Lets only so many connections be opened at once, over all clusters: a thousand TLS handshakes together take longer than
 * any of them may. A place is held for `patience` at most, so clusters that hang do not hold up the others.
 */
export interface DialGate {
  /** Resolves when it is one's turn; the function given back ends the turn (early). */
  enter(): Promise<() => void>;
}

/** Makes the gate that all sessions of a process share. `patience` in ms. */
export function createDialGate(clock: Clock, places = 24, patience = 2_000): DialGate {
  let taken = 0;
  const queue: (() => void)[] = [];

  function take(): () => void {
    taken++;
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      timer.cancel();
      taken--;
      if (taken < places) queue.shift()?.();
    };
    const timer = clock.after(patience, leave);
    return leave;
  }

  return {
    enter() {
      if (taken < places) return Promise.resolve(take());
      return new Promise((resolve) => queue.push(() => resolve(take())));
    },
  };
}
