/** Stretches of time (ms, half-open), flat: from, to, from, to; ascending, without overlap, none touching the next. */
export type FlatStretches = Float64Array;

/** Length of stretches together (ms). */
export function lengthOf(stretches: FlatStretches): number {
  return stretches.reduce((sum, at, index) => (index % 2 === 0 ? sum - at : sum + at), 0);
}

/** Stretches that both lists cover. */
export function intersectionOf(a: FlatStretches, b: FlatStretches): FlatStretches {
  const both = new Float64Array(a.length + b.length);
  let [inA, inB, count] = [0, 0, 0];
  while (inA < a.length && inB < b.length) {
    const [toA, toB] = [a[inA + 1] ?? 0, b[inB + 1] ?? 0];
    const [from, to] = [Math.max(a[inA] ?? 0, b[inB] ?? 0), Math.min(toA, toB)];
    if (from < to) {
      both[count] = from;
      both[count + 1] = to;
      count += 2;
    }
    if (toA <= toB) inA += 2;
    else inB += 2;
  }
  return both.subarray(0, count);
}

/** Those of a list that reach into the time from one moment to another: a view of it, not cut. */
export function reachingInto(stretches: FlatStretches, from: number, to: number): FlatStretches {
  const first = countTo(stretches, (place) => (stretches[place + 1] ?? 0) <= from);
  const end = countTo(stretches, (place) => (stretches[place] ?? 0) < to);
  return first === 0 && end === stretches.length ? stretches : stretches.subarray(first, Math.max(first, end));
}

/** The place behind the first stretches that something is true of, and of no others. */
function countTo(stretches: FlatStretches, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, stretches.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(2 * middle)) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

/** Stretches that the first list covers and the second does not. */
export function differenceOf(a: FlatStretches, b: FlatStretches): FlatStretches {
  const left: number[] = [];
  let inB = 0;
  for (let inA = 0; inA < a.length; inA += 2) {
    const to = a[inA + 1] ?? 0;
    let from = a[inA] ?? 0;
    while (inB < b.length && (b[inB + 1] ?? 0) <= from) inB += 2;
    for (let at = inB; at < b.length && (b[at] ?? 0) < to; at += 2) {
      if ((b[at] ?? 0) > from) left.push(from, b[at] ?? 0);
      from = Math.max(from, b[at + 1] ?? 0);
    }
    if (from < to) left.push(from, to);
  }
  return Float64Array.from(left);
}

/** Stretches that either list covers. */
export function unionOf(a: FlatStretches, b: FlatStretches): FlatStretches {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const rest = differenceOf(b, a);
  const pairs: [number, number][] = [];
  for (const list of [a, rest])
    for (let at = 0; at < list.length; at += 2) pairs.push([list[at] ?? 0, list[at + 1] ?? 0]);
  const joined: number[] = [];
  for (const [from, to] of pairs.toSorted((one, other) => one[0] - other[0])) {
    if (joined.at(-1) === from) joined[joined.length - 1] = to;
    else joined.push(from, to);
  }
  return Float64Array.from(joined);
}
