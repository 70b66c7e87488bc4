import { describe, expect, it } from 'vitest';
import { frameRing } from './frame-ring.ts';

const bytes = Buffer.from('0123456789');

function ringOf(numbers: readonly number[], limit?: { frames: number; bytes: number }) {
  const ring = frameRing(10, limit);
  for (const number of numbers) ring.push({ number, bytes });
  return ring;
}

describe('the ring of a topic that began at 10', () => {
  it.each<[string, number, number[] | null]>([
    ['nothing missed', 15, []],
    ['some missed', 12, [15]],
    ['a number of another topic between ours', 13, [15]],
    ['all missed', 10, [12, 15]],
    ['before it began', 9, null],
    ['from the future', 16, null],
  ])('%s', (_name, since, expected) => {
    expect(
      ringOf([12, 15])
        .since(since)
        ?.map(({ number }) => number) ?? null,
    ).toEqual(expected);
  });

  it('forgets the oldest beyond its count, and says so', () => {
    const ring = ringOf([11, 12, 13], { frames: 2, bytes: 1_000 });
    expect([ring.since(10), ring.since(11)?.length]).toEqual([null, 2]);
  });

  it('forgets the oldest beyond its bytes, and says so', () => {
    const ring = ringOf([11, 12, 13], { frames: 100, bytes: 25 });
    expect([ring.since(10), ring.since(11)?.length]).toEqual([null, 2]);
  });
});
