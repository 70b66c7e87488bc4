/**
 * Search for many words at once: gives the indices of the lists of which at least one word is in a text. One look at each pair
 * of letters, so that a clean text, which nearly every one is, costs next to nothing. Words are ASCII, in lower case, of two or
 * more letters; a text is searched in lower case.
 */
export function createWordSearch(lists: readonly (readonly string[])[]): (text: string) => ReadonlySet<number> {
  const byPair = new Map<number, Word[]>();
  for (const [list, words] of lists.entries()) {
    for (const word of words) byPair.set(pairAt(word, 0), [...(byPair.get(pairAt(word, 0)) ?? []), { word, list }]);
  }
  const isPair = new Uint8Array(128 * 128);
  for (const pair of byPair.keys()) isPair[pair] = 1;
  return (text) => {
    const lower = text.toLowerCase();
    const found = new Set<number>();
    for (let index = 0; index + 1 < lower.length; index += 1) {
      const pair = pairAt(lower, index);
      if (isPair[pair] !== 1) continue;
      for (const { word, list } of byPair.get(pair) ?? []) if (lower.startsWith(word, index)) found.add(list);
    }
    return found;
  };
}

interface Word {
  readonly word: string;
  readonly list: number;
}

/** Letters beyond ASCII give no pair. */
function pairAt(text: string, index: number): number {
  const first = text.charCodeAt(index);
  const second = text.charCodeAt(index + 1);
  return first < 128 && second < 128 ? first * 128 + second : 0;
}
