import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { refuseCrumbs } from './crumbs.ts';

function refusedOf(lengths: readonly number[]): number {
  const stream = new Readable({ read: () => undefined });
  let refused = 0;
  refuseCrumbs(stream, () => void (refused += 1));
  for (const length of lengths) stream.push(Buffer.alloc(length, 'x'));
  return refused;
}

const tiny = Array.from({ length: 999 }, () => 1);

it('refuses a thousand pieces of few bytes, though nobody reads them, and none that are large in the mean', () => {
  expect(refusedOf([...tiny, 63_001])).toBe(0);
  expect(refusedOf(tiny)).toBe(0);
  expect(refusedOf([...tiny, 63_000])).toBe(1);
  expect(refusedOf([...tiny, 64_000, ...tiny, 1, 1])).toBe(1);
});

it('hands on what comes', async () => {
  const stream = new Readable({ read: () => undefined });
  refuseCrumbs(stream, () => undefined);
  stream.push('a');
  stream.push(Buffer.from('b'));
  stream.push(null);
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('ab');
});
