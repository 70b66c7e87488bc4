/** Bounds of what is under way, in all and of one who asks. */
interface QueueBounds {
  readonly all: number;
  readonly ofOne: number;
}

/** Runs tasks, so many at once: those who wait (`by`) have one begun each, again and again. Who asks for thousands waits for himself. */
export function fairQueue({ all, ofOne }: QueueBounds) {
  /** In the order in which they have their next turn. */
  const waiting = new Map<string, (() => void)[]>();
  const underWay = new Map<string, number>();
  let sum = 0;

  function count(by: string, more: number): void {
    sum += more;
    const now = (underWay.get(by) ?? 0) + more;
    if (now > 0) underWay.set(by, now);
    else underWay.delete(by);
  }

  function begin(): void {
    // Who comes again stands at the end, and is met again in this round.
    for (const [by, tasks] of waiting) {
      if (sum >= all) return;
      if ((underWay.get(by) ?? 0) >= ofOne) continue;
      const first = tasks.shift();
      waiting.delete(by);
      if (tasks.length > 0) waiting.set(by, tasks);
      count(by, 1);
      first?.();
    }
  }

  return {
    /** Number of tasks of `by` that wait for their turn. */
    waitingOf(by: string): number {
      return waiting.get(by)?.length ?? 0;
    },
    /** Answer of a task, in its turn, or its rejection. */
    run<Answer>(by: string, task: () => Promise<Answer>): Promise<Answer> {
      const tasks = waiting.get(by) ?? [];
      return new Promise((resolve, reject) => {
        tasks.push(() => {
          // One that throws at once gives its turn back, too.
          void Promise.try(task)
            .then(resolve, reject)
            .finally(() => {
              count(by, -1);
              begin();
            });
        });
        waiting.set(by, tasks);
        begin();
      });
    },
  };
}
