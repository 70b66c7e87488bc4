import type { Clock } from '#server/runtime/clock.ts';

/** A stream of an answer, which can be told to wait. */
interface Pausable {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Keeps one cluster from taking the thread of all: after work on what it brought its streams rest for as long as that took. One of them goes on
 * as long as no work is long: a first list is as fast as it can be.
 */
export interface Pace {
  /** Does what a piece of a stream asks for, and has the stream rest after it. */
  run(stream: Pausable, task: () => void): void;
  /** Other work was done for the cluster, of so many ms: its streams rest for it with the next piece that they bring. */
  charge(ms: number): void;
}

/** Work up to this asks for no rest (ms): a usual piece takes a few. */
const negligible = 20;

/** No stream rests longer (ms): the server must not take it for dead. */
const longestRest = 5_000;

/** Starts without a debt. `stopwatch` gives ms that go on whatever the clock is set to. */
export function createPace(clock: Pick<Clock, 'after'>, stopwatch: () => number = () => performance.now()): Pace {
  let restUntil = -Infinity;

  function charge(ms: number): void {
    if (ms < negligible) return;
    const now = stopwatch();
    restUntil = Math.min(now + longestRest, Math.max(now, restUntil) + ms);
  }

  function goOn(stream: Pausable): void {
    const left = restUntil - stopwatch();
    if (left > 0) clock.after(left, () => goOn(stream));
    else stream.resume();
  }

  return {
    charge,
    run(stream, task) {
      const from = stopwatch();
      try {
        task();
      } finally {
        charge(stopwatch() - from);
        if (restUntil > stopwatch()) {
          stream.pause();
          goOn(stream);
        }
      }
    },
  };
}
