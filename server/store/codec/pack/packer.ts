import { createPackReader } from './pack-reader.ts';
import { createPackWriter } from './pack-writer.ts';
import { createStringTable, type StringTable } from './string-table.ts';

/**
 * Packs plain values into strings of one-byte characters, a tenth of what they are as JSON: strings that many values share are numbers,
 * and so are the names of an object's fields, all of them together as one number. Only the packer that packed a value knows what
 * its numbers mean, as long as this process lives: what is stored is given others (`packed-detail.ts`).
 */
export interface Packer {
  /** `owner` names whose value it is: see `StringTable`. Large objects in it are packed once, as long as they are the same object. */
  pack(value: unknown, owner: string): string;
  unpack(packed: string): unknown;
  string(number: number): string;
  /** The names of the fields that a number stands for. */
  fields(number: number): readonly string[];
}

/** Makes a packer. */
export function createPacker(strings: StringTable = createStringTable()): Packer {
  const names: (readonly string[])[] = [];
  const parts = new WeakMap<object, string>();
  let owner = '';
  const fields = (number: number): readonly string[] => names[number] ?? [];
  const keepPart = (object: object, packed: string): void => void parts.set(object, packed);
  const write = createPackWriter({
    stringNumber: (text) => strings.numberOf(text, owner),
    fieldsNumber(shape) {
      names[shape.number] = shape.fields;
      return shape.number;
    },
    part: (object) => parts.get(object) ?? null,
    keepPart,
  });
  const read = createPackReader({ string: strings.string, fields, keepPart });
  return {
    pack(value, whose) {
      owner = whose;
      return write(value);
    },
    unpack: (packed) => read(packed),
    string: strings.string,
    fields,
  };
}
