import { AsyncResource } from 'node:async_hooks';
import { goRound } from '../http/fair-turns.ts';
import { askedBy } from './asked-by.ts';
import { fairQueue } from '#server/runtime/turns/fair-queue.ts';

/** Answers that are made at once: one that waits for the record, and one of which the rest is done. */
const bounds = { all: 3, ofOne: 2 };
/** No reader has as many answers under way: who asks and leaves, again and again, leaves no more behind than that. */
const mostWaiting = 500;

/**
 * Makes what lets answers be made reader by reader of which much is left to do in one piece once others have answered. Before each the loop
 * goes round, and lets in who waits at the door: a hundred such answers had kept everybody out for ten seconds. Rejects where too many wait.
 */
export function heavyTurns(): <Answer>(make: () => Promise<Answer>) => Promise<Answer> {
  const queue = fairQueue(bounds);
  return async (make) => {
    const by = askedBy();
    if (queue.waitingOf(by) >= mostWaiting) throw new Error('too many answers of one reader wait');
    // Begun by the end of another one, it is still made for who asked.
    const own = AsyncResource.bind(make);
    return queue.run(by, () => new Promise<void>((resolve) => goRound(resolve)).then(() => own()));
  };
}
