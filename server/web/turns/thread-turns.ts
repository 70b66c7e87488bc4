import { askedBy } from './asked-by.ts';
import { fairQueue } from '#server/runtime/turns/fair-queue.ts';

/** Calls to one thread that are under way at once: one that it answers, and the next at its door. */
const ofThread = { all: 3, ofOne: 2 };
/** All answers that one reader may have under way make no more calls than this: who asks and leaves, again and again, does. */
const mostWaiting = 50_000;

/**
 * Makes what lets the calls to one thread be made reader by reader: who asks for two hundred reports makes nobody else wait for more than two
 * calls of his. A thread that answers so many `sideBySide` has one call of each reader. Rejects where too many of one wait.
 */
export function threadTurns(sideBySide = 1): <Answer>(call: () => Promise<Answer>) => Promise<Answer> {
  const queue = fairQueue(sideBySide > 1 ? { all: sideBySide, ofOne: 1 } : ofThread);
  return async (call) => {
    const by = askedBy();
    if (queue.waitingOf(by) >= mostWaiting) throw new Error('too many calls of one reader wait');
    return queue.run(by, call);
  };
}
