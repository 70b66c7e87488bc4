/**
 * Tests if a word holds a text (in lower case), whatever its own case. Of kinds, reasons and managers there are few and of
 * objects many: each word is folded once.
 */
export function wordTest(text: string): (word: string) => boolean {
  const folded = new Map<string, boolean>();
  return (word) => {
    const found = folded.get(word);
    if (found !== undefined) return found;
    if (folded.size > 10_000) folded.clear();
    const answer = word.toLowerCase().includes(text);
    folded.set(word, answer);
    return answer;
  };
}
