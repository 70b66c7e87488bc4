import { expect, it } from 'vitest';
import { inColumns } from './columns.ts';

it('makes each column as wide as its widest cell, and fills up all but the last', () => {
  expect(
    inColumns([
      ['A', 'B', ''],
      ['long', 'b', 'said'],
    ]),
  ).toEqual(['A     B', 'long  b  said']);
  expect(inColumns([])).toEqual([]);
});

it('has room for a fleet of a million objects', () => {
  const lines = inColumns(Array.from({ length: 1_000_000 }, () => ['a', 'b']));
  expect([lines.length, lines.at(-1)]).toEqual([1_000_000, 'a  b']);
});
