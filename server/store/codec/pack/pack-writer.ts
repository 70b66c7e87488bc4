import { isForeignObject, type ForeignObject } from '#lib/foreign.ts';
import { makeRoom, noBytes, putNatural, writtenSince, type Writing } from './pack-bytes.ts';
import { shortNumbers, shortStrings, tag, worthNoting } from './pack-tags.ts';
import { createShapes, type Shape } from './shapes.ts';
import { isLatin } from './string-table.ts';

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

/** A value while it is packed: the texts of the present part that are worth noting, and the parts so far. */
interface Packing extends Writing {
  readonly tables: PackWriterTables;
  readonly shapes: ReturnType<typeof createShapes>;
  texts: Map<string, number>;
  parts: object[];
  inPart: boolean;
}

/** Makes a function that packs plain data: null, undefined, booleans, numbers, strings, arrays, and objects of these. */
export function createPackWriter(tables: PackWriterTables): (value: unknown) => string {
  const into: Packing = {
    ...noBytes(),
    tables,
    shapes: createShapes(),
    texts: new Map(),
    parts: [],
    inPart: false,
  };
  return (value) => {
    into.end = 0;
    put(into, value, into.shapes.noFields);
    into.texts.clear();
    into.parts = [];
    return writtenSince(into, 0);
  };
}

/** Puts a value; gives the shape of its last object, which the next one in its place may have too. */
function put(into: Packing, value: unknown, guess: Shape): Shape | null {
  makeRoom(into, mostOfAPart);
  switch (typeof value) {
    case 'string':
      putText(into, value);
      return null;
    case 'number':
      putNumber(into, value);
      return null;
    case 'boolean':
      into.bytes[into.end++] = value ? tag.true : tag.false;
      return null;
    default:
      break;
  }
  if (value === null || value === undefined) {
    into.bytes[into.end++] = value === null ? tag.null : tag.undefined;
    return null;
  }
  if (isForeignObject(value)) {
    const shape = into.shapes.shapeOf(value, guess);
    if (shape.fields.length >= large && !into.inPart) putPart(into, value, shape);
    else putFields(into, value, shape);
    return shape;
  }
  if (!Array.isArray(value)) throw new Error(`a ${typeof value} cannot be packed`);
  putTagged(into, tag.array, value.length);
  let last: Shape | null = null;
  for (const item of value) last = put(into, item, last ?? guess) ?? last;
  return last;
}

function putTagged(into: Writing, kind: number, value: number): void {
  into.bytes[into.end++] = kind;
  putNatural(into, value);
}

function putNumber(into: Writing, value: number): void {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
    into.bytes[into.end++] = tag.double;
    into.end = into.bytes.writeDoubleLE(value, into.end);
  } else if (value < 0) putTagged(into, tag.negative, -value);
  else if (value >= shortNumbers) putTagged(into, tag.natural, value);
  else into.bytes[into.end++] = tag.numbers + value;
}

function putText(into: Packing, text: string): void {
  if (isDecimal(text)) return putTagged(into, tag.digits, Number(text));
  const number = into.tables.stringNumber(text);
  if (number !== null) {
    if (number < shortStrings) into.bytes[into.end++] = tag.strings + number;
    else putTagged(into, tag.string, number);
    return;
  }
  if (text.length >= worthNoting) {
    const position = into.texts.get(text);
    if (position !== undefined) return putTagged(into, tag.again, position);
    into.texts.set(text, into.texts.size);
  }
  makeRoom(into, mostOfAPart + text.length * 2);
  const latin = isLatin(text);
  putTagged(into, latin ? tag.latin : tag.utf16, text.length);
  into.end += into.bytes.write(text, into.end, latin ? 'latin1' : 'utf16le');
}

function putFields(into: Packing, object: ForeignObject, shape: Shape): void {
  const { fields, guesses } = shape;
  putTagged(into, tag.object, into.tables.fieldsNumber(shape));
  for (let index = 0; index < fields.length; index++) {
    const next = put(into, object[fields[index] ?? ''], guesses[index] ?? into.shapes.noFields);
    if (next !== null) guesses[index] = next;
  }
}

function putPart(into: Packing, object: ForeignObject, shape: Shape): void {
  const before = into.parts.indexOf(object);
  if (before >= 0) return putTagged(into, tag.samePart, before);
  into.parts.push(object);
  const packed = into.tables.part(object) ?? packPart(into, object, shape);
  makeRoom(into, mostOfAPart + packed.length);
  putTagged(into, tag.part, packed.length);
  into.end += into.bytes.write(packed, into.end, 'latin1');
}

/** Packs a part behind what is written, and takes it away again. */
function packPart(into: Packing, object: ForeignObject, shape: Shape): string {
  const { end, texts } = into;
  into.texts = new Map();
  into.inPart = true;
  makeRoom(into, mostOfAPart);
  putFields(into, object, shape);
  const packed = writtenSince(into, end);
  into.inPart = false;
  into.texts = texts;
  into.end = end;
  into.tables.keepPart(object, packed);
  return packed;
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
