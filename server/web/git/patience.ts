import { second } from '#lib/domain/time/length.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { inTime } from './in-time.ts';

/** Waits of pages (ms): the usual one, and that of a page which git was too slow for a short while ago. What is known already comes by then. */
interface Waits {
  readonly longest: number;
  readonly briefest: number;
}

/** For what stands beside other things on a page: names, lags, suspects. An answer that does not come by then seldom comes soon. */
export const besideOthers: Waits = { longest: 150, briefest: 5 };
/** For what a page is about: without it there is little to see. */
export const wholePage: Waits = { longest: 1_000, briefest: 150 };

/** A page says so in the place of what git has not told yet. */
export const gitIsLate = 'Git has not answered yet.';

/** Git that was too slow is taken for slow for so long (ms). */
const remembered = 10 * second;

/** Waiting of pages for git: what did not come in time the page asks for by itself, in the browser. */
export interface Patience {
  /** Time that a page may wait now (ms). */
  wait(): number;
  /** An answer; null where a page cannot wait for it. Rejects as the answer does. */
  inTime<Answer>(answer: Promise<Answer>): Promise<Answer | null>;
  /** To be told where git was not in time: until some seconds are over no page waits again. */
  wasLate(): void;
}

/** Makes that of some waits. */
export function createPatience({ now, after }: Pick<Clock, 'now' | 'after'>, { longest, briefest }: Waits): Patience {
  let slowSince = Number.NEGATIVE_INFINITY;

  function isSlow(): boolean {
    const passed = now() - slowSince;
    return passed >= 0 && passed < remembered;
  }

  function wasLate(): void {
    // Pages that do not wait learn nothing of git: else it would be slow for ever.
    if (!isSlow()) slowSince = now();
  }

  const wait = (): number => (isSlow() ? briefest : longest);

  return {
    wait,
    wasLate,
    async inTime(answer) {
      const found = await inTime(
        { after },
        wait(),
        answer.then((told) => ({ told })),
      );
      if (found === null) wasLate();
      return found === null ? null : found.told;
    },
  };
}
