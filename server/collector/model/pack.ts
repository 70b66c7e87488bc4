import { isForeignObject } from '#lib/foreign.ts';
import { createWordTable, isLatin, type WordTable } from './word-table.ts';

/**
 * Values packed into one-byte strings, about an eighth of what they are as JSON and a tenth of what they are as objects: words
 * that many values share are numbers, and so are the names of an object's fields, all of them together as one number.
 * Only the packer that packed a value can unpack it, as long as this process lives: it is for what rests in memory, never for a store.
 */
export interface Packer {
  /** Packs plain data (null, booleans, numbers, strings, arrays, objects of these). `owner` names whose value it is: see `WordTable`. */
  pack(value: unknown, owner: string): string;
  /** An equal value. Large objects (observations) that were one object within the value are one object again. */
  unpack(packed: string): unknown;
}

/** The first byte of a value. Numbers below 48 and the first 192 words are that byte alone. */
const tag = {
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
  word: 8,
  natural: 9,
  negative: 10,
  /** A string that reads as a number, e.g. a resourceVersion. */
  digits: 11,
  /** What stands at an earlier place of the same value. */
  again: 12,
  undefined: 13,
  numbers: 16,
  words: 64,
} as const;
const shortNumbers = tag.words - tag.numbers;
const shortWords = 256 - tag.words;
/** Shorter texts cost no more than the place where they stood before. */
const worthNoting = 8;
/** Objects of so many fields are looked for among those before. */
const large = 20;

/** The fields of an object in their order, one number for all of them; the fields that may follow them are the next shapes. */
interface Shape {
  readonly number: number;
  readonly fields: readonly string[];
  readonly next: Map<string, Shape>;
}

/** Makes a packer. */
export function createPacker(words: WordTable = createWordTable()): Packer {
  const shapes: Shape[] = [];
  const noFields = shapeOf([]);
  let bytes = Buffer.alloc(1 << 16);
  let end = 0;
  let owner = '';
  const texts = new Map<string, number>();
  let objects: { readonly object: object; readonly place: number }[] = [];
  let packed = '';
  let at = 0;

  function shapeOf(fields: readonly string[]): Shape {
    const shape = { number: shapes.length, fields, next: new Map<string, Shape>() };
    shapes.push(shape);
    return shape;
  }

  function room(size: number): void {
    if (end + size <= bytes.length) return;
    const larger = Buffer.alloc(Math.max(bytes.length * 2, end + size));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  }

  /** Seven bits a byte, the last byte below 128. */
  function putNatural(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[end++] = (rest % 128) | 128;
    bytes[end++] = rest;
  }

  function putTagged(kind: number, value: number): void {
    room(12);
    bytes[end++] = kind;
    putNatural(value);
  }

  function putNumber(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      room(9);
      bytes[end++] = tag.double;
      end = bytes.writeDoubleLE(value, end);
    } else if (value < 0) putTagged(tag.negative, -value);
    else if (value >= shortNumbers) putTagged(tag.natural, value);
    else {
      room(1);
      bytes[end++] = tag.numbers + value;
    }
  }

  function putText(text: string): void {
    if (isDecimal(text)) return putTagged(tag.digits, Number(text));
    const number = words.numberOf(text, owner);
    if (number !== null && number >= shortWords) return putTagged(tag.word, number);
    room(12 + text.length * 2);
    if (number !== null) {
      bytes[end++] = tag.words + number;
      return;
    }
    if (text.length >= worthNoting) {
      const place = texts.get(text);
      if (place !== undefined) return putTagged(tag.again, place);
      texts.set(text, end);
    }
    const latin = isLatin(text);
    putTagged(latin ? tag.latin : tag.utf16, text.length);
    end += bytes.write(text, end, latin ? 'latin1' : 'utf16le');
  }

  function putObject(object: { readonly [field: string]: unknown }): void {
    let shape = noFields;
    for (const field in object) {
      const next = shape.next.get(field) ?? shapeOf([...shape.fields, field]);
      shape.next.set(field, next);
      shape = next;
    }
    if (shape.fields.length >= large) {
      const before = objects.find((one) => one.object === object);
      if (before) return putTagged(tag.again, before.place);
      objects.push({ object, place: end });
    }
    putTagged(tag.object, shape.number);
    for (const field of shape.fields) put(object[field]);
  }

  function put(value: unknown): void {
    if (typeof value === 'string') putText(value);
    else if (typeof value === 'number') putNumber(value);
    else if (Array.isArray(value)) {
      putTagged(tag.array, value.length);
      for (const item of value) put(item);
    } else if (isForeignObject(value)) putObject(value);
    else {
      room(1);
      bytes[end++] =
        value === null ? tag.null : value === undefined ? tag.undefined : value === true ? tag.true : tag.false;
    }
  }

  function takeNatural(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = packed.charCodeAt(at++);
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }

  function takePart(length: number): string {
    const start = at;
    at += length;
    return packed.slice(start, at);
  }

  function takeArray(): unknown[] {
    const items: unknown[] = [];
    for (let left = takeNatural(); left > 0; left--) items.push(take());
    return items;
  }

  function takeObject(place: number): object {
    const { fields } = shapes[takeNatural()] ?? noFields;
    const object: { [field: string]: unknown } = {};
    if (fields.length >= large) objects.push({ object, place });
    for (const field of fields) object[field] = take();
    return object;
  }

  function takeAgain(): unknown {
    const place = takeNatural();
    const known = objects.find((one) => one.place === place);
    if (known) return known.object;
    const back = at;
    at = place;
    const value = take();
    at = back;
    return value;
  }

  function take(): unknown {
    const place = at;
    const byte = packed.charCodeAt(at++);
    if (byte >= tag.words) return words.word(byte - tag.words);
    if (byte >= tag.numbers) return byte - tag.numbers;
    switch (byte) {
      case tag.null:
        return null;
      case tag.true:
        return true;
      case tag.false:
        return false;
      case tag.double:
        return Buffer.from(takePart(8), 'latin1').readDoubleLE();
      case tag.latin:
        return takePart(takeNatural());
      case tag.utf16:
        return Buffer.from(takePart(2 * takeNatural()), 'latin1').toString('utf16le');
      case tag.array:
        return takeArray();
      case tag.object:
        return takeObject(place);
      case tag.word:
        return words.word(takeNatural());
      case tag.natural:
        return takeNatural();
      case tag.negative:
        return -takeNatural();
      case tag.digits:
        return String(takeNatural());
      case tag.again:
        return takeAgain();
      case tag.undefined:
        return undefined;
      default:
        throw new Error(`${byte} is no packed value`);
    }
  }

  return {
    pack(value, whose) {
      owner = whose;
      end = 0;
      put(value);
      texts.clear();
      objects = [];
      return bytes.toString('latin1', 0, end);
    },
    unpack(given) {
      packed = given;
      at = 0;
      const value = take();
      objects = [];
      packed = '';
      return value;
    },
  };
}

/** Whether a text is what `String` makes of a whole number that a double holds exactly. */
function isDecimal(text: string): boolean {
  if (text.length === 0 || text.length > 15 || (text.length > 1 && text.charCodeAt(0) === 48)) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
