/** A sentence as it goes on after other words: "It failed." is "it failed.". */
export function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
