/** A timer that was set and can be cancelled. */
export interface Timer {
  cancel(): void;
}

/**
 * The only way to the time for long-lived things, so that tests own it.
 * Times are milliseconds since the epoch, durations are milliseconds.
 */
export interface Clock {
  now(): number;
  /** Runs `task` once after `delay` ms. The timer never keeps the process alive. */
  after(delay: number, task: () => void): Timer;
}

/** Longest wait that a timer of Node holds (ms): it ends a longer one after 1 ms. */
const longestTimer = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, task) {
    let handle = wait(delay);
    function wait(left: number): NodeJS.Timeout {
      const part = Math.min(left, longestTimer);
      const go = left > part ? (): void => void (handle = wait(left - part)) : task;
      return setTimeout(go, part).unref();
    }
    return { cancel: () => clearTimeout(handle) };
  },
};
