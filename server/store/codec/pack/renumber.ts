import { shortWords, tag, takeNatural, type Reading } from './pack-tags.ts';

/** Other numbers for words and for the names of fields. */
export interface Numbers {
  word(number: number): number;
  fields(number: number): number;
}

/** Makes a function that gives a packed value with other numbers in the same places. */
export function createRenumbering(numbers: Numbers): (packed: string) => string {
  let bytes = Buffer.alloc(1 << 16);
  let end = 0;

  function room(size: number): void {
    if (end + size <= bytes.length) return;
    const larger = Buffer.alloc(Math.max(bytes.length * 2, end + size));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  }

  function putNatural(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[end++] = (rest % 128) | 128;
    bytes[end++] = rest;
  }

  function putWord(number: number): void {
    if (number < shortWords) bytes[end++] = tag.words + number;
    else {
      bytes[end++] = tag.word;
      putNatural(number);
    }
  }

  function copy(reading: Reading, length: number): void {
    room(length);
    for (let left = length; left > 0; left--) bytes[end++] = reading.packed.charCodeAt(reading.at++);
  }

  /** A part is as long as its numbers are: its length is known once it is written, and goes before it. */
  function putPart(reading: Reading): void {
    const until = takeNatural(reading) + reading.at;
    const start = end;
    putAll(reading, until);
    const length = end - start;
    room(12);
    const after = end;
    bytes[end++] = tag.part;
    putNatural(length);
    const head = Buffer.from(bytes.subarray(after, end));
    bytes.copyWithin(start + head.length, start, after);
    head.copy(bytes, start);
  }

  function putAll(reading: Reading, until: number): void {
    while (reading.at < until) {
      room(24);
      const byte = reading.packed.charCodeAt(reading.at++);
      if (byte >= tag.words) putWord(numbers.word(byte - tag.words));
      else if (byte === tag.word) putWord(numbers.word(takeNatural(reading)));
      else if (byte === tag.part) putPart(reading);
      else {
        bytes[end++] = byte;
        putRest(byte, reading);
      }
    }
  }

  /** Copies what follows a tag that is neither a word nor a part. */
  function putRest(byte: number, reading: Reading): void {
    switch (byte) {
      case tag.double:
        return copy(reading, 8);
      case tag.object:
        return putNatural(numbers.fields(takeNatural(reading)));
      case tag.latin:
      case tag.utf16: {
        const length = takeNatural(reading);
        putNatural(length);
        return copy(reading, byte === tag.utf16 ? 2 * length : length);
      }
      case tag.array:
      case tag.natural:
      case tag.negative:
      case tag.digits:
      case tag.again:
      case tag.samePart:
        return putNatural(takeNatural(reading));
      default:
        return;
    }
  }

  return (packed) => {
    end = 0;
    putAll({ packed, at: 0 }, packed.length);
    return bytes.toString('latin1', 0, end);
  };
}
