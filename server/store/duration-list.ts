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
    ascending: () => numbersIn(sorted(times.subarray(0, count))),
  };
}

/** Digits that a number below 2^32 is sorted by, the last first: three rounds of counting take a tenth of comparing a million. */
const [digitBits, rounds] = [11, 3];
const digits = 2 ** digitBits;

function sorted(times: Float64Array): Wide {
  if (times.some((time) => time >= 2 ** 32)) return times.sort();
  let from = Uint32Array.from(times);
  let into = new Uint32Array(from.length);
  for (let round = 0; round < rounds; round++) {
    const shift = round * digitBits;
    const places = new Uint32Array(digits + 1);
    for (let index = 0; index < from.length; index++) {
      const behind = (((from[index] ?? 0) >>> shift) & (digits - 1)) + 1;
      places[behind] = (places[behind] ?? 0) + 1;
    }
    for (let digit = 1; digit < digits; digit++) places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0);
    for (let index = 0; index < from.length; index++) {
      const time = from[index] ?? 0;
      const digit = (time >>> shift) & (digits - 1);
      const place = places[digit] ?? 0;
      into[place] = time;
      places[digit] = place + 1;
    }
    [from, into] = [into, from];
  }
  return from;
}

/** As `Array.from` does, without asking an iterator for each. */
function numbersIn(times: Wide): readonly number[] {
  const numbers: number[] = [];
  for (let index = 0; index < times.length; index++) numbers.push(times[index] ?? 0);
  return numbers;
}
