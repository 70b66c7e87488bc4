/** Letters (UTF-16 units) of all words in a value, however deep they lie. */
export function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let letters = 0;
  for (const part of Object.values(value)) letters += lettersIn(part);
  return letters;
}
