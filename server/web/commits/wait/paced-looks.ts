import { LRUCache } from 'lru-cache';
import { second } from '#lib/domain/time/length.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { fairTurns } from '../../http/fair-turns.ts';

/** After a look the next one waits for so many times as long as it took, and no longer than this (ms). */
const restsFor = 4;
const longestRest = 2 * second;
/** Answers that are kept for others who ask the same. */
const mostKept = 20;

/** Who looks (`askerOf`), for what, and what the answer follows from: with the same `stamp` it is the same. */
interface Look {
  readonly by: string;
  readonly key: string;
  readonly stamp: string;
}

/**
 * Looks of those who wait, one at a time and each listener in turn, with a rest after each for others, however many wait.
 * Who asks the same shares an answer.
 */
export function pacedLooks<Answer extends object>(clock: Clock) {
  const kept = new LRUCache<string, { readonly stamp: string; readonly answer: Answer }>({ max: mostKept });
  let rested: () => void = () => undefined;
  const turns = fairTurns((then) => {
    rested = then;
  });

  return {
    /** The answer of `make`, or of another one's look; rejects as `make` does. */
    async look({ by, key, stamp }: Look, make: () => Promise<Answer>): Promise<Answer> {
      const known = kept.get(key);
      if (known?.stamp === stamp) return known.answer;
      await turns.take(by);
      const began = clock.now();
      try {
        const other = kept.get(key);
        if (other?.stamp === stamp) return other.answer;
        const answer = await make();
        kept.set(key, { stamp, answer });
        return answer;
      } finally {
        const took = clock.now() - began;
        if (took <= 0) rested();
        else clock.after(Math.min(took * restsFor, longestRest), rested);
      }
    },
  };
}
