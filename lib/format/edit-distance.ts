/**
 * Number of letters to change to make one word of the other (Levenshtein), given up beyond `most`. Looks only at pairs of places that lie no farther apart
 * than that: a cluster may have fifty thousand long names that begin alike.
 */
export function editDistance(a: string, b: string, most: number): number {
  const over = most + 1;
  if (Math.abs(a.length - b.length) > most) return over;
  // By place of the pair: of `a.slice(0, i)` and `b.slice(0, i + place - over)`.
  let previous = Array.from({ length: 2 * over + 1 }, (_, place) => (place < over ? over : place - over));
  let current = previous.map(() => over);
  for (let i = 1; i <= a.length; i += 1) {
    let least = over;
    for (let place = 1; place < 2 * over; place += 1) {
      const j = i + place - over;
      let found = over;
      if (j === 0) found = i;
      else if (j > 0 && j <= b.length) {
        const change = (previous[place] ?? over) + Number(a[i - 1] !== b[j - 1]);
        found = Math.min(change, (previous[place + 1] ?? over) + 1, (current[place - 1] ?? over) + 1, over);
      }
      current[place] = found;
      if (found < least) least = found;
    }
    if (least > most) return over;
    [previous, current] = [current, previous];
  }
  return previous[b.length - a.length + over] ?? over;
}

/** The one of `known` that `word` was most likely meant to be: at most two letters away; null for none. */
export function meantWord(word: string, known: readonly string[]): string | null {
  const far = (each: string): number => editDistance(word.toLowerCase(), each.toLowerCase(), 2);
  const [nearest] = known
    .filter((each) => far(each) <= Math.min(2, each.length - 2))
    .toSorted((a, b) => far(a) - far(b));
  return nearest ?? null;
}
