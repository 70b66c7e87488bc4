/** A name that is too long keeps its beginning and its end, which tell names apart: "payments-…-eu". */
export function middleEllipsis(text: string, most: number): string {
  if (text.length <= most) return text;
  const front = Math.ceil((most - 1) / 2);
  return `${text.slice(0, front)}…${text.slice(text.length - (most - 1 - front))}`;
}

/** Names up to so many letters stand whole: "stg-us" is clearer than "us". */
const shortName = 18;

/** Beginning of all names of a group, up to a separator; '' where that would save nothing. */
export function sharedPrefix(names: readonly string[]): string {
  const [first, ...rest] = names;
  if (first === undefined || rest.length < 2 || names.every((name) => name.length <= shortName)) return '';
  let length = first.length;
  for (const name of rest) {
    while (length > 0 && !name.startsWith(first.slice(0, length))) length -= 1;
  }
  const prefix = /^.*[-._/]/.exec(first.slice(0, length))?.[0] ?? '';
  return prefix.length >= 4 && names.every((name) => name.length > prefix.length) ? prefix : '';
}

/** px: a letter of a group's name, what is left free at its sides, and a column at its narrowest. */
const groupLetter = 7.6;
const groupSides = 12;
const narrowest = 28;

/** True if a group's name stands whole above so many columns, however narrow they are. */
export function standsAbove(name: string, columns: number): boolean {
  return name.length * groupLetter + groupSides <= columns * narrowest;
}
