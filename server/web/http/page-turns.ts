import type { ServerResponse } from 'node:http';
import { second } from '#lib/domain/time/length.ts';
import { fairQueue } from '#server/runtime/turns/fair-queue.ts';

/**
 * Pages that are made at once, and for one reader. What is left to do of a page is done in one piece, and of all that are under way in the same
 * round of the loop: fifty large ones held it for three seconds, and a gigabyte.
 */
const bounds = { all: 8, ofOne: 4 };
/** One that takes longer (ms) makes nobody wait any more. */
const longest = 10 * second;

/** Lets pages be made a few at once, reader by reader; `by` as `askerOf` tells them apart. */
export function pageTurns() {
  const queue = fairQueue(bounds);
  return async (by: string, response: ServerResponse, make: () => Promise<void>): Promise<void> => {
    let made: Promise<void> = Promise.resolve();
    await queue.run(by, () => {
      // Who has left while it waited costs nothing.
      if (response.destroyed) return Promise.resolve();
      const written = allWritten(response);
      made = make();
      return Promise.race([written, made.catch(() => undefined)]);
    });
    return made;
  };
}

/** Resolves when all of an answer was written, read or not, when nobody waits for it any more, or after `longest`. */
function allWritten(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longest);
    for (const over of ['prefinish', 'close'])
      response.once(over, () => {
        clearTimeout(timer);
        resolve();
      });
  });
}

/**
 * Takes all of a page at once, however slowly it is read: half-written it would keep what it is made from, which is many times as large. What is
 * not read then is counted by `sendBody`'s room.
 */
export function takeWhole(response: ServerResponse): void {
  const write: unknown = Reflect.get(response, 'write');
  if (typeof write !== 'function') return;
  Reflect.set(response, 'write', (...given: readonly unknown[]): true => {
    Reflect.apply(write, response, given);
    return true;
  });
}
