import type { ObjectDetail } from '#lib/domain/current.ts';
import { createCodec } from './pack.ts';
import { createWordTable } from './word-table.ts';

/**
 * A detail as it is stored: how many words it has, the number of each (seven bits a byte, the last below 128), and the value packed
 * with these words by their place in that list. A number is a place in the batch's own list while it crosses threads, and the id of
 * a word of the store once it is written. The names of an object's fields, joined, are a word too.
 */
export interface DetailPacker {
  /** Begins a batch: its list of words is empty. */
  begin(): void;
  pack(detail: ObjectDetail, owner: string): string;
  /** The words of the batch so far. */
  words(): readonly string[];
}

const joint = ',';

function naturals(values: readonly number[]): string {
  let text = '';
  for (const value of values) {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) text += String.fromCharCode((rest % 128) | 128);
    text += String.fromCharCode(rest);
  }
  return text;
}

/** Reads the numbers at the head of a detail; gives them and where its value begins. */
function headOf(packed: string): { readonly numbers: readonly number[]; readonly body: number } {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = packed.charCodeAt(at++);
      if (byte < 128) return value + byte * factor;
      if (Number.isNaN(byte)) throw new Error('a stored detail is cut short');
      value += (byte - 128) * factor;
    }
  };
  const numbers: number[] = [];
  for (let left = next(); left > 0; left--) numbers.push(next());
  return { numbers, body: at };
}

/** Places in a list that is begun anew again and again, by the number of what stands there. */
function createPlaces(): {
  begin(): void;
  place(number: number): number | null;
  put(number: number, place: number): void;
} {
  let round = 1;
  const rounds: number[] = [];
  const places: number[] = [];
  return {
    begin: () => void round++,
    place: (number) => (rounds[number] === round ? (places[number] ?? null) : null),
    put(number, place) {
      rounds[number] = round;
      places[number] = place;
    },
  };
}

/** Makes the packer of one writer. */
export function createDetailPacker(): DetailPacker {
  const shared = createWordTable();
  const joined: string[] = [];
  const inBatch = { words: createPlaces(), fields: createPlaces() };
  const inDetail = { words: createPlaces(), fields: createPlaces() };
  let batch: string[] = [];
  let list: number[] = [];
  let owner = '';

  function placeOf(sort: 'words' | 'fields', number: number, word: (number: number) => string): number {
    const known = inDetail[sort].place(number);
    if (known !== null) return known;
    let place = inBatch[sort].place(number);
    if (place === null) {
      place = batch.push(word(number)) - 1;
      inBatch[sort].put(number, place);
    }
    inDetail[sort].put(number, list.length);
    return list.push(place) - 1;
  }

  const codec = createCodec({
    wordNumber(text) {
      const number = shared.numberOf(text, owner);
      return number === null ? null : placeOf('words', number, shared.word);
    },
    word: () => '',
    fieldsNumber(shape) {
      joined[shape.number] ??= shape.fields.join(joint);
      return placeOf('fields', shape.number, (number) => joined[number] ?? '');
    },
    fields: () => [],
  });
  return {
    begin() {
      inBatch.words.begin();
      inBatch.fields.begin();
      batch = [];
    },
    pack(detail, whose) {
      owner = whose;
      inDetail.words.begin();
      inDetail.fields.begin();
      list = [];
      const body = codec.pack(detail);
      return naturals([list.length, ...list]) + body;
    },
    words: () => batch,
  };
}

/** A detail as it is stored, of one that crossed threads; `idOf` gives the store's id of a word by its place in the batch. */
export function storedDetail(packed: string, idOf: (place: number) => number): Uint8Array {
  const { numbers, body } = headOf(packed);
  return Buffer.from(naturals([numbers.length, ...numbers.map(idOf)]) + packed.slice(body), 'latin1');
}

/** Makes the reader of stored details; `wordOf` gives the word of an id. What it gives is yet to be looked at. */
export function createDetailReader(wordOf: (id: number) => string): (stored: Uint8Array) => unknown {
  let numbers: readonly number[] = [];
  const word = (place: number): string => wordOf(numbers[place] ?? Number.NaN);
  const split = new Map<number, readonly string[]>();

  function fields(place: number): readonly string[] {
    const id = numbers[place] ?? Number.NaN;
    let known = split.get(id);
    if (known === undefined) {
      const joined = word(place);
      known = joined === '' ? [] : joined.split(joint);
      split.set(id, known);
    }
    return known;
  }

  const codec = createCodec({ wordNumber: () => null, word, fieldsNumber: () => 0, fields });
  return (stored) => {
    const packed = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('latin1');
    const head = headOf(packed);
    ({ numbers } = head);
    return codec.unpack(packed, head.body);
  };
}
