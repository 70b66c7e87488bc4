import { describe, expect, it } from 'vitest';
import { noAbsenceEntries, packAbsences, readAbsences, type AbsenceColumns } from './absence-block.ts';

const entries = noAbsenceEntries();
entries.opened.push({ day: 3, kind: 7, first: 40, second: 0 }, { day: 0, kind: 8, first: 41, second: 0 });
entries.openedAtLeast.push({ day: 1, kind: 7, first: 0, second: 0 });
entries.closed.push({ day: 3, kind: 7, first: 2 ** 33, second: 0 });
entries.away.push(
  { day: 0, kind: 8, first: 10, second: 20 },
  { day: 3, kind: 7, first: 11, second: 21 },
  { day: 7, kind: 7, first: 12, second: 22 },
);

function decoded(from: number, to: number): object {
  const { numbers, opened, openedAtLeast, closed, closedAtLeast, away } = readAbsences(packAbsences(entries), from, to);
  function columnsOf({ count, kinds, first, second }: AbsenceColumns, width: number): readonly (readonly number[])[] {
    return [kinds, first, second].map((begin, index) => [...numbers.slice(begin, begin + (index < width ? count : 0))]);
  }
  return {
    opened: columnsOf(opened, 2),
    openedAtLeast: columnsOf(openedAtLeast, 1),
    closed: columnsOf(closed, 2),
    closedAtLeast: columnsOf(closedAtLeast, 2),
    away: columnsOf(away, 3),
  };
}

describe('the absences of a block', () => {
  it.each([
    [
      0,
      8,
      {
        opened: [[8, 7], [41, 40], []],
        openedAtLeast: [[7], [], []],
        closed: [[7], [2 ** 33], []],
        closedAtLeast: [[], [], []],
        away: [
          [8, 7, 7],
          [10, 11, 12],
          [20, 21, 22],
        ],
      },
    ],
    [
      1,
      4,
      {
        opened: [[7], [40], []],
        openedAtLeast: [[7], [], []],
        closed: [[7], [2 ** 33], []],
        closedAtLeast: [[], [], []],
        away: [[7], [11], [21]],
      },
    ],
    [
      4,
      7,
      {
        opened: [[], [], []],
        openedAtLeast: [[], [], []],
        closed: [[], [], []],
        closedAtLeast: [[], [], []],
        away: [[], [], []],
      },
    ],
  ])('are read by days: %d to %d', (from, to, lists) => {
    expect(decoded(from, to)).toEqual(lists);
  });
});
