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
