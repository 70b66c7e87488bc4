/**
 * A text without those of some letters that stand at its end. Linear, as no pattern is that looks for them: it would be tried anew from each of
 * a run of them that stands before something else.
 */
export function withoutEnd(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
