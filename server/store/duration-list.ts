import type { Durations } from './record-port.ts';
import type { Wide } from './wide-numbers.ts';

/** Gathers durations (ms), as many as come. */
export interface DurationList {
  add(time: number): void;
  addAll(times: Wide): void;
  ascending(): Durations;
}

/** Begins an empty list: in memory that holds numbers alone, for there may be a million. */
export function durationList(): DurationList {
  let times = new Float64Array(1_024);
  let count = 0;

  function makeRoom(more: number): void {
    if (count + more <= times.length) return;
    const larger = new Float64Array(Math.max(times.length * 2, count + more));
    larger.set(times.subarray(0, count));
    times = larger;
  }

  return {
    add(time) {
      makeRoom(1);
      times[count++] = time;
    },
    addAll(more) {
      makeRoom(more.length);
      times.set(more, count);
      count += more.length;
    },
    ascending: () => Array.from(times.subarray(0, count).sort()),
  };
}
