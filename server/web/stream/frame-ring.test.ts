import { describe, expect, it } from 'vitest';
import { frameRing } from './frame-ring.ts';

function ringOf(numbers: readonly number[], limit?: { frames: number; bytes: number }) {
  const ring = frameRing({ number: 10, at: 1_000 }, limit && (() => limit));
  for (const number of numbers) ring.push({ number, at: number * 100, bytes: Buffer.from(String(number)) });
  return ring;
}

const numbersOf = (frames: readonly Buffer[] | null): number[] | null =>
  frames?.map((bytes) => Number(bytes.toString())) ?? null;

describe('the ring of a topic that began at 10', () => {
  it.each<[string, number, number[] | null]>([
    ['nothing missed', 15, []],
    ['some missed', 12, [15]],
    ['a number of another topic between ours', 13, [15]],
    ['all missed', 10, [12, 15]],
    ['before it began', 9, null],
    ['from the future', 16, null],
  ])('%s', (_name, since, expected) => {
    expect(numbersOf(ringOf([12, 15]).after(since))).toEqual(expected);
  });

  it.each<[string, number, number[] | null]>([
    ['nothing missed', 1_500, []],
    ['some missed', 1_200, [15]],
    ['all missed', 1_000, [12, 15]],
    ['before it began', 999, null],
  ])('by time: %s', (_name, time, expected) => {
    expect(numbersOf(ringOf([12, 15]).later(time))).toEqual(expected);
  });

  it.each([
    ['count', { frames: 2, bytes: 1_000 }],
    ['bytes', { frames: 100, bytes: 5 }],
  ])('forgets the oldest beyond its %s, and says so', (_name, limit) => {
    const ring = ringOf([11, 12, 13], limit);
    expect([ring.after(10), numbersOf(ring.after(11))]).toEqual([null, [12, 13]]);
    expect([ring.later(1_099), numbersOf(ring.later(1_100))]).toEqual([null, [12, 13]]);
  });

  it('trusts no number after the last of many', () => {
    expect(numbersOf(ringOf([11, 12, 13, 14]).after(14))).toEqual([]);
  });

  it('holds 512 frames and 8 MiB where nothing else is said', () => {
    const count = (push: number, length: number): number[] => {
      const ring = frameRing({ number: 0, at: 0 });
      for (let number = 1; number <= push; number += 1) ring.push({ number, at: number, bytes: Buffer.alloc(length) });
      return [0, 1].map((number) => ring.after(number)?.length ?? -1);
    };
    expect([count(512, 1), count(513, 1)]).toEqual([
      [512, 511],
      [-1, 512],
    ]);
    expect([count(8, 1024 * 1024), count(8, 1024 * 1024 + 1)]).toEqual([
      [8, 7],
      [-1, 7],
    ]);
  });
});
