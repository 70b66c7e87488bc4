import type { ObjectDetail } from '#lib/domain/record/current.ts';
import { putNatural, takeNatural, writtenSince, type Writing } from './pack-bytes.ts';
import { createPackReader } from './pack-reader.ts';
import type { Packer } from './packer.ts';
import { createRenumbering } from './renumber.ts';

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
  const into: Writing = { bytes: Buffer.allocUnsafe(values.length * 8), end: 0 };
  for (const value of values) putNatural(into, value);
  return writtenSince(into, 0);
}

/** Reads the numbers at the head of a detail; gives them and where its value begins. */
function headOf(packed: string): { readonly numbers: readonly number[]; readonly body: number } {
  const reading = { packed, at: 0 };
  const numbers: number[] = [];
  for (let left = takeNatural(reading); left > 0; left--) numbers.push(takeNatural(reading));
  return { numbers, body: reading.at };
}

/** Places in a list that is begun anew again and again, by the number of what stands there. */
interface Places {
  begin(): void;
  /** The place of a number, -1 where it has none yet. */
  place(number: number): number;
  put(number: number, place: number): void;
}

function createPlaces(): Places {
  let round = 1;
  // Beginning anew costs nothing: what was put in an earlier round does not count.
  let rounds = new Float64Array(1024);
  let places = new Int32Array(1024);

  function grow(least: number): void {
    const length = Math.max(least, rounds.length * 2);
    const [former, formerPlaces] = [rounds, places];
    rounds = new Float64Array(length);
    places = new Int32Array(length);
    rounds.set(former);
    places.set(formerPlaces);
  }

  return {
    begin: () => void round++,
    place: (number) => (rounds[number] === round ? (places[number] ?? -1) : -1),
    put(number, place) {
      if (number >= rounds.length) grow(number + 1);
      rounds[number] = round;
      places[number] = place;
    },
  };
}

/** Makes the packer of one writer. */
export function createDetailPacker(packer: Packer): DetailPacker {
  const inBatch = { words: createPlaces(), fields: createPlaces() };
  const inDetail = { words: createPlaces(), fields: createPlaces() };
  let batch: string[] = [];
  let list: number[] = [];

  function placeOf(sort: 'words' | 'fields', number: number): number {
    const known = inDetail[sort].place(number);
    if (known >= 0) return known;
    let place = inBatch[sort].place(number);
    if (place < 0) {
      place = batch.push(sort === 'words' ? packer.word(number) : packer.fields(number).join(joint)) - 1;
      inBatch[sort].put(number, place);
    }
    inDetail[sort].put(number, list.length);
    return list.push(place) - 1;
  }

  const renumber = createRenumbering({
    word: (number) => placeOf('words', number),
    fields: (number) => placeOf('fields', number),
  });
  return {
    begin() {
      inBatch.words.begin();
      inBatch.fields.begin();
      batch = [];
    },
    pack(detail, owner) {
      inDetail.words.begin();
      inDetail.fields.begin();
      list = [];
      const body = renumber(packer.pack(detail, owner));
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

/** The ids of the words that a stored detail is packed with. */
export function wordsOf(stored: Uint8Array): readonly number[] {
  return headOf(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('latin1')).numbers;
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

  const read = createPackReader({ word, fields });
  return (stored) => {
    const packed = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('latin1');
    const head = headOf(packed);
    ({ numbers } = head);
    return read(packed, head.body);
  };
}
