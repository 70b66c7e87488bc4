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

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, task) {
    const handle = setTimeout(task, delay);
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};
