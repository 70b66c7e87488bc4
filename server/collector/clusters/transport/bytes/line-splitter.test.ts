import { describe, expect, it } from 'vitest';
import { lineSplitter } from './line-splitter.ts';

const text = '{"a":1}\n\n{"name":"grüße 🌊"}\n{"b":2}\n';
const lines = ['{"a":1}', '{"name":"grüße 🌊"}', '{"b":2}'];

describe('lineSplitter', () => {
  it.each([1, 2, 3, 5, 7, 16, 1_000])('gives whole lines however they are cut (%i bytes each)', (size) => {
    const found: string[] = [];
    const split = lineSplitter((line) => found.push(line));
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size) split(bytes.subarray(start, start + size));
    expect(found).toEqual(lines);
  });

  it('keeps what has no end yet', () => {
    const found: string[] = [];
    const split = lineSplitter((line) => found.push(line));
    split(Buffer.from('{"a":1}\n{"b"'));
    expect(found).toEqual(['{"a":1}']);
  });

  it('says how much it holds of a line that has no end yet', () => {
    const split = lineSplitter(() => undefined);
    expect(['0123456789', '0', '\n01', '\n'].map((text) => split(Buffer.from(text)))).toEqual([10, 11, 2, 0]);
  });

  it('keeps no piece as it came: one of a single byte takes as much as hundreds', () => {
    const found: string[] = [];
    const split = lineSplitter((line) => found.push(line));
    const piece = Buffer.from('a');
    for (const byte of Buffer.from('abc'.repeat(1_000))) {
      piece[0] = byte;
      split(piece);
    }
    split(Buffer.from('\n'));
    expect(found).toEqual(['abc'.repeat(1_000)]);
  });
});
