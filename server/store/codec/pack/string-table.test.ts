import { describe, expect, it } from 'vitest';
import { createStringTable } from './string-table.ts';

describe('shared strings', () => {
  it('a text of several owners becomes shared, one that its owner repeats does not', () => {
    const strings = createStringTable();
    for (let round = 0; round < 10; round++) expect(strings.numberOf('uid-1', 'a')).toBeNull();
    expect(['a', 'b', 'c', 'd', 'e'].map((owner) => strings.numberOf('Succeeded', owner))).toEqual([
      null,
      null,
      null,
      0,
      0,
    ]);
    expect(strings.string(0)).toBe('Succeeded');
    expect(strings.size()).toBe(1);
  });

  it('a full table takes no more, and gives those that it has', () => {
    const strings = createStringTable(1);
    const sight = (text: string) => ['a', 'b', 'c', 'd'].map((owner) => strings.numberOf(text, owner)).at(-1);
    expect([sight('one'), sight('two'), sight('one')]).toEqual([0, null, 0]);
    expect(() => strings.string(1)).toThrow('no string 1');
  });
});
