import type { Durations } from '../port/record-port.ts';
import type { Wide } from './pack/wide-numbers.ts';

/** Gathers durations (whole ms), as many as come. */
export interface DurationList {
  add(time: number): void;
  addAll(times: Wide): void;
  /** All of them in order. */
  ascending(): Durations;
  /** All of them in order, in half of the memory where none is too long for that. */
  narrow(): Wide;
  /** All of them in any order, in as little memory as they take. */
  gathered(): Wide;
}

/** Below this (50 days) a duration is sorted by its digits. */
const short = 2 ** 32;

const none: Wide = new Uint32Array(0);

/** Begins a list with durations that are in order: in memory that holds numbers alone, for there may be a million. */
export function durationList(known: Wide = none): DurationList {
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

  function ascending(): Durations {
    const all = new Float64Array(known.length + count + long.length);
    merge(known, behind(sorted(times.subarray(0, count)), long), all);
    return all;
  }

  return {
    add,
    ascending,
    narrow() {
      if (known.length === 0 && long.length === 0) return sorted(times.slice(0, count));
      const all = ascending();
      return (all.at(-1) ?? 0) < short ? Uint32Array.from(all) : all;
    },
    addAll(more) {
      if (more instanceof Float64Array) {
        for (const time of more) add(time);
        return;
      }
      makeRoom(more.length);
      times.set(more, count);
      count += more.length;
    },
    gathered() {
      if (known.length === 0 && long.length === 0) return times.slice(0, count);
      const all = new Float64Array(known.length + count + long.length);
      all.set(known);
      all.set(times.subarray(0, count), known.length);
      all.set(long, known.length + count);
      return all;
    },
  };
}

/** Short durations in order, and behind them long ones in any. */
function behind(shorter: Uint32Array, long: readonly number[]): Wide {
  if (long.length === 0) return shorter;
  const all = new Float64Array(shorter.length + long.length);
  all.set(shorter);
  all.set(
    long.toSorted((a, b) => a - b),
    shorter.length,
  );
  return all;
}

/** Two lists that are in order become one. Of a long one whole stretches are copied between two of a short one. */
function merge(one: Wide, other: Wide, into: Float64Array): void {
  let [first, index] = [0, 0];
  for (let second = 0; second < other.length; second++) {
    const time = other[second] ?? 0;
    const end = firstAbove(one, first, time);
    while (first < end) into[index++] = one[first++] ?? 0;
    into[index++] = time;
  }
  into.set(one.subarray(first), index);
}

/** Where the first from an index on stands that is longer than a time; it is sought in steps that double. */
function firstAbove(list: Wide, from: number, time: number): number {
  let [low, step] = [from, 1];
  while (low + step <= list.length && (list[low + step - 1] ?? 0) <= time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(list.length, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
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
