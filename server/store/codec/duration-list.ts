import type { Durations } from '../port/record-port.ts';
import type { Wide } from './pack/wide-numbers.ts';

/** Gathers durations (whole ms), as many as come. */
export interface DurationList {
  add(time: number): void;
  addAll(times: Wide): void;
  ascending(): Durations;
}

/** Below this (50 days) a duration is sorted by its digits. */
const short = 2 ** 32;

/** Begins an empty list: in memory that holds numbers alone, for there may be a million. */
export function durationList(): DurationList {
  let times = new Uint32Array(1_024);
  let count = 0;
  const long: number[] = [];

  function makeRoom(more: number): void {
    if (count + more <= times.length) return;
    const larger = new Uint32Array(Math.max(times.length * 2, count + more));
    larger.set(times.subarray(0, count));
    times = larger;
  }

  function add(time: number): void {
    if (time >= short) {
      long.push(time);
      return;
    }
    makeRoom(1);
    times[count++] = time;
  }

  return {
    add,
    addAll(more) {
      if (more instanceof Float64Array) {
        for (const time of more) add(time);
        return;
      }
      makeRoom(more.length);
      times.set(more, count);
      count += more.length;
    },
    ascending() {
      const all = new Float64Array(count + long.length);
      all.set(sorted(times.subarray(0, count)));
      all.set(
        long.toSorted((a, b) => a - b),
        count,
      );
      return all;
    },
  };
}

/** Digits are so wide that two of them hold a day: a round of counting for each takes a tenth of comparing a million. */
const digitBits = 13;
const digits = 2 ** digitBits;

function sorted(times: Uint32Array): Uint32Array {
  let longest = 0;
  for (let index = 0; index < times.length; index++) longest = Math.max(longest, times[index] ?? 0);
  let from = times;
  let [into, spare]: [Uint32Array, Uint32Array] = [new Uint32Array(times.length), new Uint32Array(times.length)];
  for (let shift = 0; shift < digitBits * 3 && longest >= 2 ** shift; shift += digitBits) {
    const starts = new Uint32Array(digits + 1);
    for (let index = 0; index < from.length; index++) {
      const behind = (((from[index] ?? 0) >>> shift) & (digits - 1)) + 1;
      starts[behind] = (starts[behind] ?? 0) + 1;
    }
    for (let digit = 1; digit < digits; digit++) starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0);
    for (let index = 0; index < from.length; index++) {
      const time = from[index] ?? 0;
      const digit = (time >>> shift) & (digits - 1);
      const position = starts[digit] ?? 0;
      into[position] = time;
      starts[digit] = position + 1;
    }
    from = into;
    [into, spare] = [spare, into];
  }
  return from;
}
