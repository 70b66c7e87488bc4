import { describe, expect, it } from 'vitest';
import { createStringTable } from './string-table.ts';

describe('words', () => {
  it('a text of several owners becomes a word, one that its owner repeats does not', () => {
    const words = createStringTable();
    for (let round = 0; round < 10; round++) expect(words.numberOf('uid-1', 'a')).toBeNull();
    expect(['a', 'b', 'c', 'd', 'e'].map((owner) => words.numberOf('Succeeded', owner))).toEqual([
      null,
      null,
      null,
      0,
      0,
    ]);
    expect(words.word(0)).toBe('Succeeded');
    expect(words.size()).toBe(1);
  });

  it('a full table takes no more, and gives those that it has', () => {
    const words = createStringTable(1);
    const sight = (text: string) => ['a', 'b', 'c', 'd'].map((owner) => words.numberOf(text, owner)).at(-1);
    expect([sight('one'), sight('two'), sight('one')]).toEqual([0, null, 0]);
    expect(() => words.word(1)).toThrow('no word 1');
  });
});
