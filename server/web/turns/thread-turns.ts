import { askedBy } from './asked-by.ts';
import { fairQueue } from './fair-queue.ts';

/** Calls to one thread that are under way at once: one that it answers, and the next at its door. */
const ofThread = { all: 3, ofOne: 2 };

/**
 * Makes what lets the calls to one thread be made reader by reader: who asks for two hundred reports makes nobody else wait for more than two
 * calls of his.
 */
export function threadTurns(): <Answer>(call: () => Promise<Answer>) => Promise<Answer> {
  const queue = fairQueue(ofThread);
  return (call) => queue.run(askedBy(), call);
}
