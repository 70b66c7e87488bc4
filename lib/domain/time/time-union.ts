import type { FlatStretches } from '../record/flat-stretches.ts';

/** Gathers stretches in any order and tells the time that at least one of them covers. */
export interface TimeUnion {
  add(from: number, to: number): void;
  stretches(): FlatStretches;
}

/** So many numbers are gathered before they are put together, so that what overlaps takes no room. */
const gathered = 1_024;
const atFirst = 16;

/** Begins with nothing covered. What is added in the order of time is put together the faster. */
export function timeUnion(): TimeUnion {
  /** Runs, one behind the other, each of which is in order and without overlap; where they end. */
  let all = new Float64Array(atFirst);
  let runs: number[] = [];
  let [count, limit, lastFrom, lastTo] = [0, gathered, -Infinity, -Infinity];
  /** Where the first run ends once others were put together with it, and what of it was looked at last. */
  let [known, looked] = [0, 0];

  function larger(): void {
    const copy = new Float64Array(all.length * 2);
    copy.set(all);
    all = copy;
  }

  function putTogether(): void {
    if (runs.length === 0) return;
    [all, count] = oneOf(all, [...runs, count]);
    runs = [];
    known = count;
    [lastFrom, lastTo] = [all[count - 2] ?? 0, all[count - 1] ?? 0];
  }

  return {
    add(from, to) {
      if (from >= to) return;
      looked = lastBefore(all, known, looked, from);
      if (looked < known && (all[looked] ?? 0) <= from && to <= (all[looked + 1] ?? 0)) return;
      if (count >= limit) {
        putTogether();
        limit = Math.max(gathered, count * 2);
      }
      if (from < lastFrom) runs.push(count);
      else if (from <= lastTo) {
        if (to > lastTo) all[count - 1] = lastTo = to;
        return;
      }
      if (count === all.length) larger();
      all[count] = lastFrom = from;
      all[count + 1] = lastTo = to;
      count += 2;
    },
    stretches() {
      putTogether();
      return all.subarray(0, count);
    },
  };
}

/**
 * The last stretch of a run that begins at a time or before; the first where none does. It is sought from `index` on, in steps
 * that double: those of a list are asked for in their order.
 */
function lastBefore(run: Float64Array, end: number, index: number, time: number): number {
  let low = index < end && (run[index] ?? 0) <= time ? index : 0;
  let step = 2;
  while (low + step < end && (run[low + step] ?? 0) <= time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(end, low + step);
  while (high - low > 2) {
    const middle = low + ((high - low) >> 2) * 2;
    if ((run[middle] ?? 0) <= time) low = middle;
    else high = middle;
  }
  return low;
}

/** Puts runs that end at these indexes together, two by two: where they overlap there is less at each pass. */
function oneOf(runs: Float64Array, ends: readonly number[]): readonly [Float64Array<ArrayBuffer>, number] {
  let [source, target] = [Float64Array.from(runs), new Float64Array(runs.length)];
  let left = ends;
  while (left.length > 1) {
    const next: number[] = [];
    let [begin, at] = [0, 0];
    for (let run = 0; run < left.length; run += 2) {
      const middle = left[run] ?? 0;
      const end = left[run + 1] ?? middle;
      at = merge(source, { begin, middle, end }, target, at);
      next.push(at);
      begin = end;
    }
    [source, target, left] = [target, source, next];
  }
  return [source, left[0] ?? 0];
}

/** Two runs that follow each other become one in `target` from `first` on; gives its end. */
function merge(
  source: Float64Array,
  { begin, middle, end }: { readonly begin: number; readonly middle: number; readonly end: number },
  target: Float64Array,
  first: number,
): number {
  let [one, other, at, lastTo] = [begin, middle, first, -Infinity];
  while (one < middle || other < end) {
    const isOne = other >= end || (one < middle && (source[one] ?? 0) <= (source[other] ?? 0));
    const index = isOne ? one : other;
    if (isOne) one += 2;
    else other += 2;
    const [from, to] = [source[index] ?? 0, source[index + 1] ?? 0];
    if (from > lastTo) {
      target[at] = from;
      at += 2;
    }
    if (to > lastTo) target[at - 1] = lastTo = to;
  }
  return at;
}
