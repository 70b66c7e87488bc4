/** Stretches of time (ms, half-open), flat: from, to, from, to. */
export type FlatStretches = ArrayLike<number>;

/** Gathers stretches in any order and tells the time that at least one of them covers. */
export interface TimeUnion {
  add(from: number, to: number): void;
  /** What is covered: ascending, without overlap, none touching the next. */
  stretches(): readonly number[];
  /** How long that is (ms). */
  length(): number;
}

/** So many numbers are gathered before they are put together, so that what overlaps takes no room. */
const gathered = 8_192;

/** Begins with nothing covered. What is added in the order of time is never sorted. */
export function timeUnion(): TimeUnion {
  let all: number[] = [];
  let [limit, inOrder] = [gathered, true];

  function putTogether(): readonly number[] {
    if (!inOrder) all = apart(all);
    inOrder = true;
    return all;
  }

  return {
    add(from, to) {
      if (from >= to) return;
      const lastFrom = all[all.length - 2] ?? -Infinity;
      const lastTo = all[all.length - 1] ?? -Infinity;
      if (inOrder && from >= lastFrom && from <= lastTo) {
        if (to > lastTo) all[all.length - 1] = to;
        return;
      }
      inOrder &&= from > lastTo;
      all.push(from, to);
      if (all.length >= limit) limit = Math.max(gathered, putTogether().length * 2);
    },
    stretches: putTogether,
    length: () => lengthOf(putTogether()),
  };
}

/** How long stretches that do not overlap are together (ms). */
export function lengthOf(stretches: FlatStretches): number {
  let sum = 0;
  for (let place = 0; place < stretches.length; place += 2)
    sum += (stretches[place + 1] ?? 0) - (stretches[place] ?? 0);
  return sum;
}

/** Beginnings and ends in order tell the union: it pauses where as many have ended as have begun. */
function apart(stretches: readonly number[]): number[] {
  const count = stretches.length / 2;
  const [begins, ends] = [new Float64Array(count), new Float64Array(count)];
  for (let index = 0; index < count; index++) {
    begins[index] = stretches[index * 2] ?? 0;
    ends[index] = stretches[index * 2 + 1] ?? 0;
  }
  begins.sort();
  ends.sort();
  const union: number[] = [];
  for (let index = 0; index < count; index++) {
    const begin = begins[index] ?? 0;
    const ended = ends[index - 1] ?? -Infinity;
    if (begin <= ended) continue;
    if (index > 0) union.push(ended);
    union.push(begin);
  }
  const last = ends[count - 1];
  if (last !== undefined) union.push(last);
  return union;
}
