import { performance } from 'node:perf_hooks';
import type { Clock } from '#server/runtime/clock.ts';

/** Passes take so long (ms) one after the other before all else has its turn, for as long as they took. */
const longestBurst = 50;

/** Lets the hubs of all views pass one after the other. */
export interface PassTurns {
  /** Makes a pass of a hub when its turn has come; one that waits already is made once. */
  ask(hub: object, pass: () => void): void;
  /** Forgets a hub that has ended. */
  leave(hub: object): void;
}

/** Time (ms) that a hub may have beyond those whose turn was last, where it took less. */
const credit = 50;

/** A hub that waits: its pass, and the time (ms) at which its turn is. */
interface Waiting {
  readonly at: number;
  readonly pass: () => void;
}

/**
 * Makes it. First comes the hub that took least time so far: one large cluster that many views hold makes none wait that does not see it. Who comes anew, or
 * took none for a while, has little credit for that: it would pass alone for seconds until it has caught up. And between them requests are answered: sixty views
 * of one had held the thread for twenty seconds, each time that an object of it changed.
 */
export function passTurns(clock: Pick<Clock, 'after'>, elapsed: () => number = () => performance.now()): PassTurns {
  const waiting = new Map<object, Waiting>();
  /** Until when (ms) each has taken its share; forgotten with the hub. */
  const spent = new WeakMap<object, number>();
  /** The turn that was last. */
  let reached = 0;
  let burst = 0;
  let isBusy = false;

  function next(): readonly [object, Waiting] | undefined {
    let found: readonly [object, Waiting] | undefined;
    for (const one of waiting) if (found === undefined || one[1].at < found[1].at) found = one;
    return found;
  }

  function count(hub: object, at: number, took: number): void {
    spent.set(hub, at + took);
    burst += took;
  }

  function go(): void {
    for (let one = next(); one !== undefined && !isBusy; one = next()) {
      const [hub, { at, pass }] = one;
      waiting.delete(hub);
      reached = Math.max(reached, at);
      const began = elapsed();
      isBusy = true;
      try {
        pass();
      } finally {
        isBusy = false;
      }
      count(hub, at, Math.max(0, elapsed() - began));
      if (burst >= longestBurst) rest();
    }
  }

  function rest(): void {
    isBusy = true;
    const length = burst;
    burst = 0;
    clock.after(length, () => {
      isBusy = false;
      go();
    });
  }

  return {
    ask(hub, pass) {
      const at = waiting.get(hub)?.at ?? Math.max(reached - credit, spent.get(hub) ?? 0);
      waiting.set(hub, { at, pass });
      go();
    },
    leave(hub) {
      waiting.delete(hub);
    },
  };
}
