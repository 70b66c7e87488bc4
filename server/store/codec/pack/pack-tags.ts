/** The first byte of a packed value. Numbers below 48 and the first 192 strings are that byte alone. */
export const tag = {
  null: 0,
  true: 1,
  false: 2,
  double: 3,
  /** A string of characters below 256: length, characters. */
  latin: 4,
  /** Any other string: length, code units of two bytes. */
  utf16: 5,
  array: 6,
  object: 7,
  string: 8,
  natural: 9,
  negative: 10,
  /** A string that reads as a number, e.g. a resourceVersion. */
  digits: 11,
  /** A string of this value that was written out before: which of those that are worth noting. */
  again: 12,
  undefined: 13,
  /** A large object, packed by itself: length, bytes. */
  part: 14,
  /** One of the parts of this value that was there before: which. */
  samePart: 15,
  numbers: 16,
  strings: 64,
} as const;

export const shortNumbers = tag.strings - tag.numbers;
export const shortStrings = 256 - tag.strings;
/** Shorter texts cost no more than telling which one they were. */
export const worthNoting = 8;
