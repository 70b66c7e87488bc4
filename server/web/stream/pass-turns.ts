import { performance } from 'node:perf_hooks';
import type { Clock } from '#server/runtime/clock.ts';

/** Passes take so long (ms) one after the other before all else has its turn, for as long as they took. */
const longestBurst = 50;
/** Time (ms) of passes of which it is known whose they were; what came before counts half, and so on. */
const remembered = 5_000;

/** Lets the hubs of all views pass one after the other. */
export interface PassTurns {
  /** Makes a pass of a hub when its turn has come; one that waits already is made once. */
  ask(hub: object, pass: () => void): void;
  /** Forgets a hub that has ended. */
  leave(hub: object): void;
}

/**
 * Makes it. First comes the hub that took least time so far: one large cluster that many views hold makes none wait that does not see it. And between them
 * requests are answered: sixty views of one had held the thread for twenty seconds, each time that an object of it changed.
 */
export function passTurns(clock: Pick<Clock, 'after'>, elapsed: () => number = () => performance.now()): PassTurns {
  const waiting = new Map<object, () => void>();
  /** Time (ms) that passes of each took of late. */
  const spent = new Map<object, number>();
  let sum = 0;
  let burst = 0;
  let isBusy = false;

  function next(): readonly [object, () => void] | undefined {
    let found: readonly [object, () => void] | undefined;
    for (const one of waiting)
      if (found === undefined || (spent.get(one[0]) ?? 0) < (spent.get(found[0]) ?? 0)) found = one;
    return found;
  }

  function count(hub: object, took: number): void {
    spent.set(hub, (spent.get(hub) ?? 0) + took);
    sum += took;
    burst += took;
    if (sum <= remembered) return;
    for (const [one, time] of spent) spent.set(one, time / 2);
    sum /= 2;
  }

  function go(): void {
    for (let one = next(); one !== undefined && !isBusy; one = next()) {
      const [hub, pass] = one;
      waiting.delete(hub);
      const began = elapsed();
      isBusy = true;
      try {
        pass();
      } finally {
        isBusy = false;
      }
      count(hub, Math.max(0, elapsed() - began));
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
      waiting.set(hub, pass);
      go();
    },
    leave(hub) {
      waiting.delete(hub);
      spent.delete(hub);
    },
  };
}
