import type { Clock } from '#server/runtime/clock.ts';

/** One step of so many goes to who waits longest: what takes much time goes on, too, however much is asked that takes little. */
const longestWaitingEach = 4;

/** A question that is answered in steps. */
interface Stepping {
  /** Time (ms) that its steps took. */
  used: number;
  /** When its present step began (ms). */
  began: number;
}

/**
 * Lets the steps of several questions take turns, with all else that the thread is asked between two of them. First comes whichever took least time so far: what is soon
 * answered does not wait for what takes long.
 */
export function stepTurns(clock: Clock) {
  /** Who waits longest stands first. */
  const waiting: { readonly of: Stepping; readonly go: () => void }[] = [];
  let steps = 0;

  function next(): void {
    steps += 1;
    const least = Math.min(...waiting.map(({ of }) => of.used));
    const place = steps % longestWaitingEach === 0 ? 0 : waiting.findIndex(({ of }) => of.used === least);
    const [one] = waiting.splice(place, 1);
    if (one !== undefined) {
      one.of.began = clock.now();
      one.go();
    }
    if (waiting.length > 0) setImmediate(next);
  }

  return {
    /** Begins a question, with its first step. */
    begin: (): Stepping => ({ used: 0, began: clock.now() }),
    /** Waits for the turn of the next step of a question. */
    turn(of: Stepping): Promise<void> {
      of.used += Math.max(0, clock.now() - of.began);
      return new Promise((go) => {
        waiting.push({ of, go });
        // Where others wait already, it is sought with them.
        if (waiting.length === 1) setImmediate(next);
      });
    },
  };
}
