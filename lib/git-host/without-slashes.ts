/** A text without the slashes at its end. Linear, as no pattern is that looks for them: it would be tried anew from each of a run before something else. */
export function withoutSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
