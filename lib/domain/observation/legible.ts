const beyondAscii = /[^\t\n\r -~]/;
/**
 * Controls, letters that nobody sees or that steer the direction of a text, line characters of Unicode, halves of surrogate pairs,
 * fillers, selectors of variants, the empty pattern of Braille.
 */
const unseen = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n\r]]/gv;
/** One that no line feed follows moves the cursor to the beginning of the line. */
const bareReturn = /\r(?!\n)/g;
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

function written(letter: string): string {
  return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A text that reads as it is and steers nothing that shows it: what nobody sees is written as its number. Tabs and lines stay. */
export function legible(text: string): string {
  return beyondAscii.test(text) ? text.replace(unseen, written) : text;
}

/** The same for a terminal, where a carriage return would let one part of a line hide another. */
export function legibleInTerminal(text: string): string {
  return legible(text.replace(bareReturn, written));
}

/** The same on one line. */
export function legibleLine(text: string): string {
  return legible(text.replace(breaks, ' '));
}

/** JSON text that means the same and steers nothing that shows it: in its strings what nobody sees is escaped. */
export function legibleJson(json: string): string {
  if (!beyondAscii.test(json)) return json;
  return json.replace(unseen, (letter) =>
    letter
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
