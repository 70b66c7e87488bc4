import { describe, expect, it } from 'vitest';
import { lineSplitter } from './watch.ts';

const text = '{"a":1}\n\n{"name":"grüße 🌊"}\n{"b":2}\n';
const lines = ['{"a":1}', '{"name":"grüße 🌊"}', '{"b":2}'];

describe('lineSplitter', () => {
  it.each([1, 2, 3, 5, 7, 16, 1_000])('gives whole lines however they are cut (%i bytes each)', (size) => {
    const found: string[] = [];
    const split = lineSplitter((line) => found.push(line), 1_000);
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size)
      expect(split(bytes.subarray(start, start + size))).toBe(true);
    expect(found).toEqual(lines);
  });

  it('keeps what has no end yet', () => {
    const found: string[] = [];
    const split = lineSplitter((line) => found.push(line), 1_000);
    split(Buffer.from('{"a":1}\n{"b"'));
    expect(found).toEqual(['{"a":1}']);
  });

  it('says when a line is longer than the bound', () => {
    const split = lineSplitter(() => undefined, 10);
    expect(split(Buffer.from('0123456789'))).toBe(true);
    expect(split(Buffer.from('0'))).toBe(false);
  });
});
