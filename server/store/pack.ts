import { isForeignObject, type ForeignObject } from '#lib/foreign.ts';
import { isLatin } from './word-table.ts';

/** Which texts of a packed value are written as numbers, and which number stands for the names of an object's fields. */
export interface Book {
  /** The number of a text; null where it is to be written out. */
  wordNumber(text: string): number | null;
  word(number: number): string;
  fieldsNumber(shape: Shape): number;
  fields(number: number): readonly string[];
}

/** The fields of an object in their order; the fields that may follow them are the next shapes. */
export interface Shape {
  /** 0 for no fields, then in the order in which they were first seen. */
  readonly number: number;
  readonly fields: readonly string[];
  readonly next: Map<string, Shape>;
  /** By field, the shape of the object that stood there last. */
  readonly guesses: Shape[];
}

/**
 * Packs values into strings of one-byte characters, a tenth of what they are as JSON: words that many values share are numbers,
 * and so are the names of an object's fields, all of them together as one number. What the numbers mean is in the book.
 */
export interface Codec {
  /** Packs plain data: null, undefined, booleans, numbers, strings, arrays, and objects of these. */
  pack(value: unknown): string;
  /** An equal value, from the given place of a text on. Large objects (observations) that were one object within it are one again. */
  unpack(packed: string, start?: number): unknown;
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
/** Bytes of a tag with its number, at most. */
const mostOfAPart = 12;
const twoTo28 = 2 ** 28;

/** Makes a codec over a book. It is not shared between books: the shapes that it has seen are its own. */
export function createCodec(book: Book): Codec {
  let shapes = 0;
  const noFields = makeShape([]);
  let bytes = Buffer.alloc(1 << 16);
  let end = 0;
  const texts = new Map<string, number>();
  let objects: { readonly object: object; readonly place: number }[] = [];
  let packed = '';
  let begin = 0;
  let at = 0;

  function makeShape(fields: readonly string[]): Shape {
    return { number: shapes++, fields, next: new Map(), guesses: [] };
  }

  function follow(shape: Shape, field: string): Shape {
    const next = makeShape([...shape.fields, field]);
    shape.next.set(field, next);
    return next;
  }

  /** Room for what follows; every part asks for as much as it may need. */
  function room(size: number): void {
    if (end + size <= bytes.length) return;
    const larger = Buffer.alloc(Math.max(bytes.length * 2, end + size));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  }

  /** Seven bits a byte, the last byte below 128. */
  function putNatural(value: number): void {
    let rest = value;
    for (; rest >= twoTo28; rest = Math.floor(rest / 128)) bytes[end++] = (rest % 128) | 128;
    for (; rest >= 128; rest >>>= 7) bytes[end++] = (rest & 127) | 128;
    bytes[end++] = rest;
  }

  function putTagged(kind: number, value: number): void {
    bytes[end++] = kind;
    putNatural(value);
  }

  function putNumber(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      bytes[end++] = tag.double;
      end = bytes.writeDoubleLE(value, end);
    } else if (value < 0) putTagged(tag.negative, -value);
    else if (value >= shortNumbers) putTagged(tag.natural, value);
    else bytes[end++] = tag.numbers + value;
  }

  function putText(text: string): void {
    const number = book.wordNumber(text);
    if (number !== null) {
      if (number < shortWords) bytes[end++] = tag.words + number;
      else putTagged(tag.word, number);
      return;
    }
    if (isDecimal(text)) return putTagged(tag.digits, Number(text));
    if (text.length >= worthNoting) {
      const place = texts.get(text);
      if (place !== undefined) return putTagged(tag.again, place);
      texts.set(text, end);
    }
    room(mostOfAPart + text.length * 2);
    const latin = isLatin(text);
    putTagged(latin ? tag.latin : tag.utf16, text.length);
    end += bytes.write(text, end, latin ? 'latin1' : 'utf16le');
  }

  /** The shape of an object; `guess` is that of the object before, which most follow. */
  function shapeOf(object: ForeignObject, guess: Shape): Shape {
    const { fields } = guess;
    let index = 0;
    for (const field in object) {
      if (field !== fields[index]) return newShapeOf(object);
      index += 1;
    }
    return index === fields.length ? guess : newShapeOf(object);
  }

  function newShapeOf(object: ForeignObject): Shape {
    let shape = noFields;
    for (const field in object) shape = shape.next.get(field) ?? follow(shape, field);
    return shape;
  }

  function putObject(object: ForeignObject, guess: Shape): Shape {
    const shape = shapeOf(object, guess);
    const { fields, guesses } = shape;
    if (fields.length >= large) {
      const before = objects.find((one) => one.object === object);
      if (before) {
        putTagged(tag.again, before.place);
        return shape;
      }
      objects.push({ object, place: end });
    }
    putTagged(tag.object, book.fieldsNumber(shape));
    for (let index = 0; index < fields.length; index++) {
      const value = object[fields[index] ?? ''];
      const next = put(value, guesses[index] ?? noFields);
      if (next !== null) guesses[index] = next;
    }
    return shape;
  }

  /** Puts a value; gives the shape of its last object, which the next one in its place may have too. */
  function put(value: unknown, guess: Shape): Shape | null {
    room(mostOfAPart);
    switch (typeof value) {
      case 'string':
        putText(value);
        return null;
      case 'number':
        putNumber(value);
        return null;
      case 'boolean':
        bytes[end++] = value ? tag.true : tag.false;
        return null;
      default:
        break;
    }
    if (value === null || value === undefined) {
      bytes[end++] = value === null ? tag.null : tag.undefined;
      return null;
    }
    if (isForeignObject(value)) return putObject(value, guess);
    if (!Array.isArray(value)) throw new Error(`a ${typeof value} cannot be packed`);
    putTagged(tag.array, value.length);
    let last: Shape | null = null;
    for (const item of value) last = put(item, last ?? guess) ?? last;
    return last;
  }

  function takeNatural(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = packed.charCodeAt(at++);
      if (byte < 128) return value + byte * factor;
      if (Number.isNaN(byte)) throw new Error('a packed value is cut short');
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
    const fields = book.fields(takeNatural());
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
    at = begin + place;
    const value = take();
    at = back;
    return value;
  }

  function take(): unknown {
    const place = at - begin;
    const byte = packed.charCodeAt(at++);
    if (byte >= tag.words) return book.word(byte - tag.words);
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
        return book.word(takeNatural());
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
    pack(value) {
      end = 0;
      put(value, noFields);
      texts.clear();
      objects = [];
      return bytes.toString('latin1', 0, end);
    },
    unpack(given, start = 0) {
      packed = given;
      begin = start;
      at = start;
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
