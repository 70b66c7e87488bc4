import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/runtime/clock.ts';

/** Answers that are made once and handed out for a while. */
export interface KeptAnswers<T> {
  /** The answer to a key: the one that is kept, or a new one. One at a time is made, however many are asked for. */
  get(key: string | number, make: () => Promise<{ readonly answer: T; readonly weight: number }>): Promise<T>;
}

/**
 * Keeps answers for `lifetime` ms, at most `most` of them and, the newest apart, no more than `weight` in all; the least recently
 * asked leaves first.
 */
export function keptAnswers<T extends object | string>(options: {
  readonly clock: Pick<Clock, 'now'>;
  readonly lifetime: number;
  readonly most: number;
  readonly weight: number;
}): KeptAnswers<T> {
  const { clock, lifetime, most, weight: heaviest } = options;
  const kept = new LRUCache<string | number, T>({
    max: most,
    maxSize: heaviest,
    ttl: lifetime,
    ttlAutopurge: true,
    ttlResolution: 0,
    perf: clock,
  });
  let turn: Promise<unknown> = Promise.resolve();

  return {
    get(key, make) {
      const next = turn.then(async () => {
        const found = kept.get(key);
        if (found !== undefined) return found;
        const { answer, weight } = await make();
        // What is heavier than all that may be kept would not be kept at all.
        kept.set(key, answer, { size: Math.min(heaviest, Math.max(1, weight)) });
        return answer;
      });
      turn = next.catch(() => undefined);
      return next;
    },
  };
}
