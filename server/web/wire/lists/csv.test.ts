import { expect, it } from 'vitest';
import { csvLines, csvOf, csvPieces } from './csv.ts';

it.each<[string, string | number | null, string]>([
  ['words', 'out of memory', 'out of memory'],
  ['nothing', null, ''],
  ['a number below zero', -3, '-3'],
  ['what divides cells', 'a,b "c"', '"a,b ""c"""'],
  ['lines', 'a\r\nb\nc', 'a b c'],
  ['a formula', '=1+1', "'=1+1"],
  ['one behind blanks', ' \t@SUM(A1)', "'  @SUM(A1)"],
  ['one behind a line', '\n-1+cmd', "' -1+cmd"],
  ['one of an East Asian keyboard', '＝1+1', "'＝1+1"],
  ['one where semicolons divide cells', 'x;=1+1', "x;'=1+1"],
  ['one behind another', '-1; @SUM(A1);y', "'-1;' @SUM(A1);y"],
  ['one in quotes where semicolons divide cells', 'x;"=1+1;y', `"x;'""=1+1;y"`],
  ['semicolons before words', 'a;b; c-d', 'a;b; c-d'],
  ['an escape sequence', 'a\u001B[2J', 'a\\u{1b}[2J'],
  ['one of a single letter', 'a\u009B31m', 'a\\u{9b}31m'],
  ['direction', 'a\u202Eb', 'a\\u{202e}b'],
])('%s', (_what, value, cell) => {
  expect(csvLines({ said: () => value }, [0])).toBe(`${cell}\r\n`);
});

it('a file is made in pieces of a hundred lines, however many items are read at once', async () => {
  const items = Array.from({ length: 1_050 }, (_, at) => at);
  const columns = { said: (at: number) => at };
  const pieces = await Array.fromAsync(
    csvOf(
      columns,
      (async function* () {
        yield items;
      })(),
    ),
  );
  expect(pieces.map((text) => text.split('\r\n').length - 1)).toEqual([
    1,
    ...Array.from({ length: 10 }, () => 100),
    50,
  ]);
  expect(pieces.slice(1).join('')).toBe(csvLines(columns, items));
  expect([...csvPieces(columns, [])]).toEqual([]);
});
