import type { Clock, Timer } from '#server/runtime/clock.ts';

/** Looks again and again for what has changed. */
export interface Turns {
  /** Says that something has changed: looked at now, or with the next turn. */
  nudge(): void;
  stop(): void;
}

/**
 * Starts with a look now; the next comes `every` ms after each. A nudge is a look at once, if so long ago nothing was found or asked
 * for: a quiet look delays nobody. `look` tells whether it found something, and never throws.
 */
export function startTurns(clock: Clock, every: number, look: () => boolean): Turns {
  let lastWord = 0;
  let stopped = false;
  let timer: Timer | null = null;

  function turn(): void {
    if (look()) lastWord = clock.now();
    timer?.cancel();
    timer = clock.after(every, turn);
  }

  turn();
  return {
    nudge() {
      if (stopped || clock.now() - lastWord < every) return;
      lastWord = clock.now();
      turn();
    },
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
