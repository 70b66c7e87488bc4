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
const gathered = 2_048;

/** Begins with nothing covered. */
export function timeUnion(): TimeUnion {
  let all: number[] = [];
  let [limit, sorted] = [gathered, true];

  function putTogether(): readonly number[] {
    if (!sorted) all = apart(all);
    sorted = true;
    return all;
  }

  return {
    add(from, to) {
      if (from >= to) return;
      all.push(from, to);
      sorted = false;
      if (all.length < limit) return;
      limit = Math.max(gathered, putTogether().length * 2);
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
  const begins = Float64Array.from({ length: count }, (_, index) => stretches[index * 2] ?? 0).sort();
  const ends = Float64Array.from({ length: count }, (_, index) => stretches[index * 2 + 1] ?? 0).sort();
  const union: number[] = [];
  for (let index = 0; index < count; index++) {
    const [begin = 0, ended = -Infinity] = [begins[index], ends[index - 1]];
    if (begin <= ended) continue;
    if (index > 0) union.push(ended);
    union.push(begin);
  }
  const last = ends[count - 1];
  if (last !== undefined) union.push(last);
  return union;
}
