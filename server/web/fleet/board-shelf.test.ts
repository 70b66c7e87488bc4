import { expect, it } from 'vitest';
import { boardShelf } from './board-shelf.ts';

/** Reads boards of so many cells; tells which were made. */
function shelf(most: { readonly boards: number; readonly cells: number }) {
  const made: string[] = [];
  const room = boardShelf(most);
  const reader = (moment: string) => {
    const part = room.part();
    return (view: string, cells: number) =>
      part(
        view,
        () => {
          made.push(`${moment}${view}`);
          return { read: () => ({ columns: [], rows: [], labels: [], cells, stamp: 1 }) };
        },
        0,
      );
  };
  return { made, reader };
}

it('keeps the boards read last of all moments, as far as there is room for their cells', () => {
  const { made, reader } = shelf({ boards: 10, cells: 100 });
  const [a, b] = [reader('a'), reader('b')];
  a('1', 40);
  b('1', 40);
  a('1', 40);
  b('2', 30);
  a('1', 40);
  b('1', 40);
  expect(made).toEqual(['a1', 'b1', 'b2', 'b1']);
});

it('keeps one that is larger than all of the room, and so many in number', () => {
  const { made, reader } = shelf({ boards: 2, cells: 100 });
  const a = reader('a');
  a('large', 1_000);
  a('large', 1_000);
  for (const view of ['1', '2', '3', '2', '1']) a(view, 1);
  expect(made).toEqual(['alarge', 'a1', 'a2', 'a3', 'a1']);
});
