import { setImmediate as others, setTimeout as pause } from 'node:timers/promises';
import { smallJson } from './json-shape.ts';

/** No body holds the next one up for longer (ms). */
const longestRest = 1_000;

/** Gives turns one by one; after each, everybody else has the thread for as long as it was taken. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  let taken = 0;

  async function turn(before: Promise<unknown>): Promise<void> {
    await before;
    await others();
    if (taken >= 1) await pause(Math.min(taken, longestRest));
    const from = performance.now();
    // Whoever has the turn parses before this comes.
    setImmediate(() => {
      taken = performance.now() - from;
    });
  }

  return {
    /** Resolves when the turn has come: what is to be done in it must be done at once. */
    enter(): Promise<void> {
      const mine = turn(last);
      last = mine;
      return mine;
    },
  };
}

/** The turns of all clusters of this process: they share its thread. */
const ofAll = createTurns();

/**
 * Has the large bodies of one cluster parsed one by one, and those of all clusters too: of each cluster one at most waits for the
 * turn that they share, and so none with many of them holds up the others.
 */
export function createParseTurns(shared = ofAll) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Resolves when a body of so many bytes may be parsed, at once. */
    async enter(bytes: number): Promise<void> {
      if (bytes <= smallJson) return;
      const mine = last.then(() => shared.enter());
      last = mine;
      await mine;
    },
  };
}
