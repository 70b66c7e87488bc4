import { askedBy } from './asked-by.ts';
import { fairQueue } from './fair-queue.ts';

/**
 * Calls to one thread that are under way at once: one that it answers, and the next at its door. All answers that one reader may have under way
 * make no more than may wait: who asks and leaves, again and again, does.
 */
const ofThread = { all: 3, ofOne: 2, waitingOfOne: 50_000 };

/**
 * Makes what lets the calls to one thread be made reader by reader: who asks for two hundred reports makes nobody else wait for more than two
 * calls of his. Rejects where too many of one wait.
 */
export function threadTurns(): <Answer>(call: () => Promise<Answer>) => Promise<Answer> {
  const queue = fairQueue(ofThread);
  return async (call) => {
    const answer = queue.run(askedBy(), call);
    if (answer === null) throw new Error('too many calls of one reader wait');
    return answer;
  };
}
