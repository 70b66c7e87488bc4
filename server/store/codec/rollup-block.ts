import type { Period } from '#lib/domain/record/span.ts';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { putNatural, type Writing } from './pack/pack-bytes.ts';

/** Number of UTC days in one block of a cluster's figures: a step of rolling up is short, and a long report reads few rows. */
export const daysInBlock = 8;
const blockLength = daysInBlock * dayLength;

/** The block that a moment (ms) lies in. */
export function blockOf(time: number): number {
  return Math.floor(time / blockLength);
}

/** Where a block begins (ms); it ends where the next one does. */
export function beginningOf(block: number): number {
  return block * blockLength;
}

/** A period cut where blocks begin, oldest first. */
export function cutAtBlocks({ from, to }: Period): readonly Period[] {
  const pieces: Period[] = [];
  for (let start = from; start < to;) {
    const end = Math.min(to, beginningOf(blockOf(start) + 1));
    pieces.push({ from: start, to: end });
    start = end;
  }
  return pieces;
}

/** The whole blocks in a period, null for none, and what it has beside them: its beginning and its end. */
export function wholeBlocks({ from, to }: Period): {
  readonly whole: Period | null;
  readonly beside: readonly Period[];
} {
  const whole = { from: beginningOf(blockOf(from - 1) + 1), to: beginningOf(blockOf(to)) };
  if (whole.from >= whole.to) return { whole: null, beside: from < to ? [{ from, to }] : [] };
  const beside = [
    { from, to: whole.from },
    { from: whole.to, to },
  ];
  return { whole, beside: beside.filter((period) => period.from < period.to) };
}

/** A day (its beginning, ms) as its place in its block. */
export function dayIndex(day: number): number {
  return Math.floor(day / dayLength) - blockOf(day) * daysInBlock;
}

/** The beginning (ms) of the day at a place of a block. */
export function dayAt(block: number, position: number): number {
  return beginningOf(block) + position * dayLength;
}

/** Whole numbers from 0 to 2^53 as bytes, seven bits in each: most of what is counted is small. */
export function packNumbers(values: readonly number[]): Uint8Array {
  const into: Writing = { bytes: Buffer.alloc(values.length * 8), end: 0 };
  for (const value of values) putNatural(into, value);
  return into.bytes.subarray(0, into.end);
}

/** Numbers with room for more. */
export type Numbers = Float64Array<ArrayBuffer>;

/** Reads packed numbers into `numbers`, made longer where it has to be; gives it back with how many there are. */
export function unpackNumbers(bytes: Uint8Array, numbers: Numbers): readonly [Numbers, number] {
  const into = numbers.length < bytes.length ? new Float64Array(bytes.length * 2) : numbers;
  let count = 0;
  let value = 0;
  let scale = 1;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte < 128) {
      into[count++] = value + byte * scale;
      value = 0;
      scale = 1;
    } else {
      value += (byte - 128) * scale;
      scale *= 128;
    }
  }
  return [into, count];
}
