import type { Clock, Timer } from '#server/runtime/clock.ts';

/** What is made once and handed out for a while. */
export interface KeptAnswers<T> {
  /** The answer to a key: the one that is kept, or a new one. One at a time is made, however many are asked for. */
  get(key: number, make: () => Promise<{ readonly answer: T; readonly weight: number }>): Promise<T>;
}

interface Kept<T> {
  readonly answer: T;
  readonly weight: number;
  readonly timer: Timer;
}

/**
 * Keeps answers for `lifetime` ms, at most `most` of them and, the newest apart, no more than `weight` in all; the least recently
 * asked leaves first.
 */
export function keptAnswers<T>(options: {
  readonly clock: Clock;
  readonly lifetime: number;
  readonly most: number;
  readonly weight: number;
}): KeptAnswers<T> {
  const { clock, lifetime, most, weight: heaviest } = options;
  const kept = new Map<number, Kept<T>>();
  let turn: Promise<unknown> = Promise.resolve();

  function forget(key: number): void {
    kept.get(key)?.timer.cancel();
    kept.delete(key);
  }

  function keep(key: number, { answer, weight }: { readonly answer: T; readonly weight: number }): T {
    forget(key);
    kept.set(key, { answer, weight, timer: clock.after(lifetime, () => forget(key)) });
    let sum = [...kept.values()].reduce((all, one) => all + one.weight, 0);
    for (const [oldest, { weight: its }] of kept) {
      if (oldest === key || (kept.size <= most && sum <= heaviest)) break;
      sum -= its;
      forget(oldest);
    }
    return answer;
  }

  return {
    get(key, make) {
      const next = turn.then(async () => {
        const found = kept.get(key);
        if (!found) return keep(key, await make());
        // Asked again: it leaves after the others.
        kept.delete(key);
        kept.set(key, found);
        return found.answer;
      });
      turn = next.catch(() => undefined);
      return next;
    },
  };
}
