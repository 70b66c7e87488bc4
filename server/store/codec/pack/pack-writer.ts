import { isForeignObject, type ForeignObject } from '#lib/foreign.ts';
import { shortNumbers, shortWords, tag, worthNoting } from './pack-tags.ts';
import { isLatin } from './string-table.ts';

/** The fields of an object in their order; the fields that may follow them are the next shapes. */
export interface Shape {
  /** 0 for no fields, then in the order in which they were first seen. */
  readonly number: number;
  readonly fields: readonly string[];
  readonly next: Map<string, Shape>;
  /** By field, the shape of the object that stood there last. */
  readonly guesses: Shape[];
}

/** Tables in which a writer looks up, and what it leaves for later. */
export interface PackWriterTables {
  /** The number of a text; null where it is to be written out. */
  stringNumber(text: string): number | null;
  fieldsNumber(shape: Shape): number;
  /** A large object as it was packed before, null where it was not. */
  part(object: object): string | null;
  keepPart(object: object, packed: string): void;
}

/** Objects of so many fields are parts: packed once, and taken over as they are as long as they are the same object. */
const large = 20;
/** Bytes of a tag with its number, at most. */
const mostOfAPart = 12;
const twoTo28 = 2 ** 28;

/** Makes a function that packs plain data: null, undefined, booleans, numbers, strings, arrays, and objects of these. */
export function createPackWriter(tables: PackWriterTables): (value: unknown) => string {
  let shapes = 0;
  const noFields = makeShape([]);
  let bytes = Buffer.alloc(1 << 16);
  let end = 0;
  let texts = new Map<string, number>();
  let parts: object[] = [];
  let inPart = false;

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
    if (isDecimal(text)) return putTagged(tag.digits, Number(text));
    const number = tables.stringNumber(text);
    if (number !== null) {
      if (number < shortWords) bytes[end++] = tag.words + number;
      else putTagged(tag.word, number);
      return;
    }
    if (text.length >= worthNoting) {
      const place = texts.get(text);
      if (place !== undefined) return putTagged(tag.again, place);
      texts.set(text, texts.size);
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

  function putFields(object: ForeignObject, shape: Shape): void {
    const { fields, guesses } = shape;
    putTagged(tag.object, tables.fieldsNumber(shape));
    for (let index = 0; index < fields.length; index++) {
      const next = put(object[fields[index] ?? ''], guesses[index] ?? noFields);
      if (next !== null) guesses[index] = next;
    }
  }

  function packPart(object: ForeignObject, shape: Shape): string {
    const start = end;
    const outer = texts;
    texts = new Map();
    inPart = true;
    room(mostOfAPart);
    putFields(object, shape);
    const packed = bytes.toString('latin1', start, end);
    inPart = false;
    texts = outer;
    end = start;
    tables.keepPart(object, packed);
    return packed;
  }

  function putPart(object: ForeignObject, shape: Shape): void {
    const before = parts.indexOf(object);
    if (before >= 0) return putTagged(tag.samePart, before);
    parts.push(object);
    const packed = tables.part(object) ?? packPart(object, shape);
    room(mostOfAPart + packed.length);
    putTagged(tag.part, packed.length);
    end += bytes.write(packed, end, 'latin1');
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
    if (isForeignObject(value)) {
      const shape = shapeOf(value, guess);
      if (shape.fields.length >= large && !inPart) putPart(value, shape);
      else putFields(value, shape);
      return shape;
    }
    if (!Array.isArray(value)) throw new Error(`a ${typeof value} cannot be packed`);
    putTagged(tag.array, value.length);
    let last: Shape | null = null;
    for (const item of value) last = put(item, last ?? guess) ?? last;
    return last;
  }

  return (value) => {
    end = 0;
    put(value, noFields);
    texts.clear();
    parts = [];
    return bytes.toString('latin1', 0, end);
  };
}

/** True if a text is what `String` makes of a whole number that a double holds exactly. */
function isDecimal(text: string): boolean {
  if (text.length === 0 || text.length > 15 || (text.length > 1 && text.charCodeAt(0) === 48)) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
