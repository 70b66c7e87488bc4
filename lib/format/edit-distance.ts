/** Number of letters to change to make one word of the other (Levenshtein), given up beyond `most`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > most) return most + 1;
    previous = current;
  }
  return previous[b.length] ?? most + 1;
}

/** The one of `known` that `word` was most likely meant to be: at most two letters away; null for none. */
export function meantWord(word: string, known: readonly string[]): string | null {
  const far = (each: string): number => editDistance(word.toLowerCase(), each.toLowerCase(), 2);
  const [nearest] = known
    .filter((each) => far(each) <= Math.min(2, each.length - 2))
    .toSorted((a, b) => far(a) - far(b));
  return nearest ?? null;
}
