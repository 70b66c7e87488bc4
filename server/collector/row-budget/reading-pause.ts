import type { Clock, Timer } from '#server/runtime/clock.ts';
import { createRowBudget, type OverBudget, type RowLimit, type Spent } from './row-budget.ts';

/** Needed to pause the reading of one source of facts. */
interface ReadingPauseDeps {
  readonly limits: readonly RowLimit[];
  readonly clock: Clock;
  /** It has written more than it may. Called soon after, not in the midst of writing. */
  readonly onPause: (over: OverBudget) => void;
  /** It may be read again. */
  readonly onEnd: () => void;
}

/** Watches what a source writes, and tells when it is to be read no more and when again. Starts with nothing written. */
export function createReadingPause({ limits, clock, onPause, onEnd }: ReadingPauseDeps) {
  const budget = createRowBudget(limits);
  let reason: string | null = null;
  let timer: Timer | null = null;

  function begin(over: OverBudget): void {
    ({ reason } = over);
    timer = clock.after(over.pause, () => {
      reason = null;
      budget.resume(clock.now());
      onEnd();
    });
    onPause(over);
  }

  return {
    /** Takes note of what is written. */
    spend(spent: readonly Spent[]): void {
      const over = budget.spend(spent, clock.now());
      if (over !== null) timer = clock.after(0, () => begin(over));
    },
    /** Why it is not read now, a clause; null while it is. */
    reason: (): string | null => reason,
    stop: (): void => timer?.cancel(),
  };
}
