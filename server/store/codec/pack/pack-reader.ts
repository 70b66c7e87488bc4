import { tag, takeNatural, worthNoting, type Reading } from './pack-tags.ts';

/** Tables in which a reader looks up. */
export interface PackReaderTables {
  word(number: number): string;
  fields(number: number): readonly string[];
  /** A part was read: it need not be packed anew as long as it stays the same object. */
  keepPart?(object: object, packed: string): void;
}

/** Makes a function that gives a value equal to the one that was packed; parts that were one object are one again. */
export function createPackReader(tables: PackReaderTables): (packed: string, start?: number) => unknown {
  let reading: Reading = { packed: '', at: 0 };
  let texts: string[] = [];
  let parts: object[] = [];

  function cut(length: number): string {
    const start = reading.at;
    reading.at += length;
    return reading.packed.slice(start, reading.at);
  }

  function noted(text: string): string {
    if (text.length >= worthNoting) texts.push(text);
    return text;
  }

  function takeArray(): unknown[] {
    const items: unknown[] = [];
    for (let left = takeNatural(reading); left > 0; left--) items.push(take());
    return items;
  }

  function takeObject(): object {
    const object: { [field: string]: unknown } = {};
    for (const field of tables.fields(takeNatural(reading))) object[field] = take();
    return object;
  }

  function takePart(): unknown {
    const length = takeNatural(reading);
    const start = reading.at;
    const outer = texts;
    texts = [];
    const value = take();
    texts = outer;
    if (typeof value !== 'object' || value === null) throw new Error('a part that is no object');
    parts.push(value);
    tables.keepPart?.(value, reading.packed.slice(start, start + length));
    return value;
  }

  function take(): unknown {
    const byte = reading.packed.charCodeAt(reading.at++);
    if (byte >= tag.words) return tables.word(byte - tag.words);
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
        return Buffer.from(cut(8), 'latin1').readDoubleLE();
      case tag.latin:
        return noted(cut(takeNatural(reading)));
      case tag.utf16:
        return noted(Buffer.from(cut(2 * takeNatural(reading)), 'latin1').toString('utf16le'));
      case tag.array:
        return takeArray();
      case tag.object:
        return takeObject();
      case tag.word:
        return tables.word(takeNatural(reading));
      case tag.natural:
        return takeNatural(reading);
      case tag.negative:
        return -takeNatural(reading);
      case tag.digits:
        return String(takeNatural(reading));
      case tag.again:
        return texts[takeNatural(reading)];
      case tag.part:
        return takePart();
      case tag.samePart:
        return parts[takeNatural(reading)];
      default:
        throw new Error(`${byte} is no packed value`);
    }
  }

  return (packed, start = 0) => {
    reading = { packed, at: start };
    const value = take();
    texts = [];
    parts = [];
    reading = { packed: '', at: 0 };
    return value;
  };
}
