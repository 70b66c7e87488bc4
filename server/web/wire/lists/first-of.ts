/** The first of many in an order, at most `most`: a million of them are never sorted at once. */
export function firstOf<T>(all: Iterable<T>, most: number, compare: (a: T, b: T) => number): readonly T[] {
  const kept: T[] = [];
  const trim = () => {
    kept.sort(compare);
    kept.length = Math.min(kept.length, most);
  };
  for (const one of all) {
    kept.push(one);
    if (kept.length >= most * 4 + 1_000) trim();
  }
  trim();
  return kept;
}
