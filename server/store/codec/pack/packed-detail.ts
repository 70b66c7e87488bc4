import type { ObjectDetail } from '#lib/domain/record/current.ts';
import { putNatural, takeNatural, writtenSince, type Writing } from './pack-bytes.ts';
import { createPackReader } from './pack-reader.ts';
import type { Packer } from './packer.ts';
import { createRenumbering } from './renumber.ts';

/**
 * A detail as it is stored: how many shared strings it has, the number of each (seven bits a byte, the last below 128), and the value
 * packed with them by their position in that list. A number is a position in the batch's own list while it crosses threads, and the
 * store's id of the string once it is written. The names of an object's fields, joined, are a shared string too.
 */
export interface DetailPacker {
  /** Begins a batch: its list of strings is empty. */
  begin(): void;
  pack(detail: ObjectDetail, owner: string): string;
  /** The strings of the batch so far. */
  strings(): readonly string[];
}

const joint = ',';

function naturals(values: readonly number[]): string {
  const into: Writing = { bytes: Buffer.allocUnsafe(values.length * 8), end: 0 };
  for (const value of values) putNatural(into, value);
  return writtenSince(into, 0);
}

/** Reads the numbers at the head of a detail; gives them and where its value begins. */
function headerOf(packed: string): { readonly numbers: readonly number[]; readonly body: number } {
  const reading = { packed, at: 0 };
  const numbers: number[] = [];
  for (let left = takeNatural(reading); left > 0; left--) numbers.push(takeNatural(reading));
  return { numbers, body: reading.at };
}

/** Places in a list that is begun anew again and again, by the number of what stands there. */
interface Positions {
  begin(): void;
  /** The position of a number, -1 where it has none yet. */
  position(number: number): number;
  put(number: number, position: number): void;
}

function createPositions(): Positions {
  let round = 1;
  // Beginning anew costs nothing: what was put in an earlier round does not count.
  let rounds = new Float64Array(1024);
  let positions = new Int32Array(1024);

  function grow(least: number): void {
    const length = Math.max(least, rounds.length * 2);
    const [former, formerPositions] = [rounds, positions];
    rounds = new Float64Array(length);
    positions = new Int32Array(length);
    rounds.set(former);
    positions.set(formerPositions);
  }

  return {
    begin: () => void round++,
    position: (number) => (rounds[number] === round ? (positions[number] ?? -1) : -1),
    put(number, position) {
      if (number >= rounds.length) grow(number + 1);
      rounds[number] = round;
      positions[number] = position;
    },
  };
}

/** Makes the packer of one writer. */
export function createDetailPacker(packer: Packer): DetailPacker {
  const inBatch = { strings: createPositions(), fields: createPositions() };
  const inDetail = { strings: createPositions(), fields: createPositions() };
  let batch: string[] = [];
  let list: number[] = [];

  function positionOf(sort: 'strings' | 'fields', number: number): number {
    const known = inDetail[sort].position(number);
    if (known >= 0) return known;
    let position = inBatch[sort].position(number);
    if (position < 0) {
      position = batch.push(sort === 'strings' ? packer.string(number) : packer.fields(number).join(joint)) - 1;
      inBatch[sort].put(number, position);
    }
    inDetail[sort].put(number, list.length);
    return list.push(position) - 1;
  }

  const renumber = createRenumbering({
    string: (number) => positionOf('strings', number),
    fields: (number) => positionOf('fields', number),
  });
  return {
    begin() {
      inBatch.strings.begin();
      inBatch.fields.begin();
      batch = [];
    },
    pack(detail, owner) {
      inDetail.strings.begin();
      inDetail.fields.begin();
      list = [];
      const body = renumber(packer.pack(detail, owner));
      return naturals([list.length, ...list]) + body;
    },
    strings: () => batch,
  };
}

/** A detail as it is stored, of one that crossed threads; `idOf` gives the store's id of a string by its position in the batch. */
export function storedDetail(packed: string, idOf: (position: number) => number): Uint8Array {
  const { numbers, body } = headerOf(packed);
  return Buffer.from(naturals([numbers.length, ...numbers.map(idOf)]) + packed.slice(body), 'latin1');
}

/** The ids of the strings that a stored detail is packed with. */
export function stringIdsOf(stored: Uint8Array): readonly number[] {
  return headerOf(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('latin1')).numbers;
}

/** Makes the reader of stored details; `stringOf` gives the string of an id. What it gives is yet to be looked at. */
export function createDetailReader(stringOf: (id: number) => string): (stored: Uint8Array) => unknown {
  let numbers: readonly number[] = [];
  const string = (position: number): string => stringOf(numbers[position] ?? Number.NaN);
  const split = new Map<number, readonly string[]>();

  function fields(position: number): readonly string[] {
    const id = numbers[position] ?? Number.NaN;
    let known = split.get(id);
    if (known === undefined) {
      const joined = string(position);
      known = joined === '' ? [] : joined.split(joint);
      split.set(id, known);
    }
    return known;
  }

  const read = createPackReader({ string, fields });
  return (stored) => {
    const packed = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('latin1');
    const header = headerOf(packed);
    ({ numbers } = header);
    return read(packed, header.body);
  };
}
