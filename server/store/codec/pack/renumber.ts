import { makeRoom, noBytes, putNatural, takeNatural, writtenSince, type Reading, type Writing } from './pack-bytes.ts';
import { shortStrings, tag } from './pack-tags.ts';

/** Other numbers for strings and for the names of fields. */
export interface Numbers {
  string(number: number): number;
  fields(number: number): number;
}

/** A packed value while it is given other numbers. */
interface Renumbering extends Reading, Writing {
  readonly numbers: Numbers;
}

/** Makes a function that gives a packed value with other numbers in the same positions. */
export function createRenumbering(numbers: Numbers): (packed: string) => string {
  let { bytes } = noBytes();
  return (packed) => {
    const value: Renumbering = { numbers, packed, at: 0, bytes, end: 0 };
    putAll(value, packed.length);
    ({ bytes } = value);
    return writtenSince(value, 0);
  };
}

function putAll(value: Renumbering, until: number): void {
  const { packed, numbers } = value;
  while (value.at < until) {
    makeRoom(value, 24);
    const byte = packed.charCodeAt(value.at++);
    if (byte >= tag.strings) putString(value, numbers.string(byte - tag.strings));
    else if (byte === tag.string) putString(value, numbers.string(takeNatural(value)));
    else if (byte === tag.part) putPart(value);
    else {
      value.bytes[value.end++] = byte;
      putPlain(value, byte);
    }
  }
}

function putString(value: Renumbering, number: number): void {
  if (number < shortStrings) value.bytes[value.end++] = tag.strings + number;
  else {
    value.bytes[value.end++] = tag.string;
    putNatural(value, number);
  }
}

/** A part is as long as its numbers are: its length is known once it is written, and goes before it. */
function putPart(value: Renumbering): void {
  const until = takeNatural(value) + value.at;
  const start = value.end;
  putAll(value, until);
  const length = value.end - start;
  makeRoom(value, 12);
  const after = value.end;
  value.bytes[value.end++] = tag.part;
  putNatural(value, length);
  const moved = Buffer.from(value.bytes.subarray(after, value.end));
  value.bytes.copyWithin(start + moved.length, start, after);
  moved.copy(value.bytes, start);
}

/** Copies what follows a tag that is neither a shared string nor a part. */
function putPlain(value: Renumbering, byte: number): void {
  switch (byte) {
    case tag.double:
      return copy(value, 8);
    case tag.object:
      return putNatural(value, value.numbers.fields(takeNatural(value)));
    case tag.latin:
    case tag.utf16: {
      const length = takeNatural(value);
      putNatural(value, length);
      return copy(value, byte === tag.utf16 ? 2 * length : length);
    }
    case tag.array:
    case tag.natural:
    case tag.negative:
    case tag.digits:
    case tag.again:
    case tag.samePart:
      return putNatural(value, takeNatural(value));
    default:
      return;
  }
}

function copy(value: Renumbering, length: number): void {
  makeRoom(value, length);
  for (let left = length; left > 0; left--) value.bytes[value.end++] = value.packed.charCodeAt(value.at++);
}
