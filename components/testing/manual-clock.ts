/** A clock that only moves when a test moves it (ms). */
export function manualClock(start = 0) {
  let time = start;
  let timers: { readonly at: number; readonly task: () => void }[] = [];
  return {
    now: () => time,
    after(delay: number, task: () => void) {
      const timer = { at: time + delay, task };
      timers.push(timer);
      return {
        cancel() {
          timers = timers.filter((each) => each !== timer);
        },
      };
    },
    advance(by: number): void {
      const end = time + by;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        time = next.at;
        next.task();
      }
      time = end;
    },
  };
}
