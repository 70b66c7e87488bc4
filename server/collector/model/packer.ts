import { createCodec } from '#server/store/pack.ts';
import { createWordTable, type WordTable } from '#server/store/word-table.ts';

/**
 * Packs what rests in memory. Only the packer that packed a value can unpack it, as long as this process lives: what its numbers mean
 * is nowhere else.
 */
export interface Packer {
  /** `owner` names whose value it is: see `WordTable`. */
  pack(value: unknown, owner: string): string;
  unpack(packed: string): unknown;
}

/** Makes a packer. */
export function createPacker(words: WordTable = createWordTable()): Packer {
  const fields: (readonly string[])[] = [];
  let owner = '';
  const codec = createCodec({
    wordNumber: (text) => words.numberOf(text, owner),
    word: words.word,
    fieldsNumber(shape) {
      fields[shape.number] = shape.fields;
      return shape.number;
    },
    fields: (number) => fields[number] ?? [],
  });
  return {
    pack(value, whose) {
      owner = whose;
      return codec.pack(value);
    },
    unpack: (packed) => codec.unpack(packed),
  };
}
