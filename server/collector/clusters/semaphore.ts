import type { Clock } from '#server/runtime/clock.ts';

/** One's turn: kept by whoever goes on, given up by whoever is done. */
export interface Permit {
  /** Something came: it goes on. */
  busy(): void;
  /** Ends the turn (early). */
  end(): void;
}

/**
 * Lets only so many clusters do something at once: a thousand TLS handshakes together, or thirty lists from each of a thousand
 * clusters, take longer than any of them may, are given up and begun again: nothing would ever come to its end.
 */
export type Semaphore = ReturnType<typeof createSemaphore>;

/**
 * Makes the turns that all clusters of a process share. A turn in which nothing came for `patience` is over, so that clusters
 * that hang do not hold up the others, and so is one after `longest` (both ms): what is large goes on beside the next.
 */
export function createSemaphore(clock: Clock, permits: number, patience = 2_000, longest = 30_000) {
  let taken = 0;
  const queue: (() => void)[] = [];

  function take(): Permit {
    taken++;
    const began = clock.now();
    let lastBusy = began;
    let over = false;
    let timer = clock.after(patience, check);
    function end(): void {
      if (over) return;
      over = true;
      timer.cancel();
      taken--;
      queue.shift()?.();
    }
    function check(): void {
      const now = clock.now();
      const until = Math.min(lastBusy + patience, began + longest);
      if (now >= until) end();
      else timer = clock.after(until - now, check);
    }
    return {
      busy() {
        lastBusy = clock.now();
      },
      end,
    };
  }

  return {
    /** Resolves when it is one's turn. */
    enter(): Promise<Permit> {
      if (taken < permits) return Promise.resolve(take());
      return new Promise((resolve) => queue.push(() => resolve(take())));
    },
  };
}
