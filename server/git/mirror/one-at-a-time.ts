import type { Clock, Timer } from '#server/runtime/clock.ts';

/** Something to be done at a time (ms since the epoch). It never rejects. */
export interface DueWork {
  readonly due: number;
  readonly work: () => Promise<void>;
}

/** Does one thing at a time: `first` gives what is due first, whenever that is looked for. */
export function oneAtATime(clock: Clock, first: () => DueWork) {
  let timer: Timer | null = null;
  let working: Promise<void> | null = null;
  let isStopped = false;

  /** To be called when something else may be due first. */
  function look(): void {
    if (isStopped || working !== null) return;
    timer?.cancel();
    const { due, work } = first();
    timer = clock.after(Math.max(0, due - clock.now()), () => {
      working = work().then(() => {
        working = null;
        look();
      });
    });
  }

  return {
    look,
    /** Waits for what is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      timer?.cancel();
      await working;
    },
  };
}
