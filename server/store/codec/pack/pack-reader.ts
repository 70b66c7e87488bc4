import { takeNatural, type Reading } from './pack-bytes.ts';
import { tag, worthNoting } from './pack-tags.ts';

/** Tables in which a reader looks up. */
export interface PackReaderTables {
  string(number: number): string;
  fields(number: number): readonly string[];
  /** A part was read: it need not be packed anew as long as it stays the same object. */
  keepPart?(object: object, packed: string): void;
}

/** A value while it is read: the texts of the present part that are worth noting, and the parts so far. */
interface Unpacking extends Reading {
  readonly tables: PackReaderTables;
  texts: string[];
  readonly parts: object[];
}

/** Makes a function that gives a value equal to the one that was packed; parts that were one object are one again. */
export function createPackReader(tables: PackReaderTables): (packed: string, start?: number) => unknown {
  return (packed, start = 0) => take({ packed, at: start, tables, texts: [], parts: [] });
}

function take(from: Unpacking): unknown {
  const byte = from.packed.charCodeAt(from.at++);
  if (byte >= tag.strings) return from.tables.string(byte - tag.strings);
  if (byte >= tag.numbers) return byte - tag.numbers;
  switch (byte) {
    case tag.null:
      return null;
    case tag.true:
      return true;
    case tag.false:
      return false;
    case tag.undefined:
      return undefined;
    case tag.double:
      return Buffer.from(cut(from, 8), 'latin1').readDoubleLE();
    case tag.latin:
      return noted(from, cut(from, takeNatural(from)));
    case tag.utf16:
      return noted(from, Buffer.from(cut(from, 2 * takeNatural(from)), 'latin1').toString('utf16le'));
    case tag.array:
      return takeArray(from);
    case tag.object:
      return takeObject(from);
    case tag.string:
      return from.tables.string(takeNatural(from));
    case tag.natural:
      return takeNatural(from);
    case tag.negative:
      return -takeNatural(from);
    case tag.digits:
      return String(takeNatural(from));
    case tag.again:
      return from.texts[takeNatural(from)];
    case tag.part:
      return takePart(from);
    case tag.samePart:
      return from.parts[takeNatural(from)];
    default:
      throw new Error(`${byte} is no packed value`);
  }
}

function cut(from: Unpacking, length: number): string {
  const start = from.at;
  from.at += length;
  return from.packed.slice(start, from.at);
}

function noted({ texts }: Unpacking, text: string): string {
  if (text.length >= worthNoting) texts.push(text);
  return text;
}

function takeArray(from: Unpacking): unknown[] {
  const items: unknown[] = [];
  for (let left = takeNatural(from); left > 0; left--) items.push(take(from));
  return items;
}

function takeObject(from: Unpacking): object {
  const object: { [field: string]: unknown } = {};
  for (const field of from.tables.fields(takeNatural(from))) object[field] = take(from);
  return object;
}

function takePart(from: Unpacking): object {
  const length = takeNatural(from);
  const start = from.at;
  const outer = from.texts;
  from.texts = [];
  const value = take(from);
  from.texts = outer;
  if (typeof value !== 'object' || value === null) throw new Error('a part that is no object');
  from.parts.push(value);
  from.tables.keepPart?.(value, from.packed.slice(start, start + length));
  return value;
}
