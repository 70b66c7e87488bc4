import { daysInBlock } from './rollup-block.ts';
import { packWide, unpackWide, type Wide } from './pack/wide-numbers.ts';

/**
 * Count of the numbers (ms) of an entry, for each sort of absences, which are lists of their own: until it was
 * noticed (none where that is not known), until it converged, and of a stretch away the age it began at and its length.
 */
const numbersOf = { opened: 1, openedAtLeast: 0, closed: 1, closedAtLeast: 1, gone: 0, away: 2 } as const;
type ListName = keyof typeof numbersOf;
const listNames = [
  'opened',
  'openedAtLeast',
  'closed',
  'closedAtLeast',
  'gone',
  'away',
] as const satisfies readonly ListName[];

/** One entry; `day` is its place in the block. */
export interface AbsenceEntry {
  readonly day: number;
  /** The id of a kind. */
  readonly kind: number;
  readonly first: number;
  second: number;
}

/** The entries of a block while it is made. */
export type AbsenceEntries = { readonly [L in ListName]: AbsenceEntry[] };

/** One list of some days of a block: how many entries, and where in the numbers of the block each of its columns begins. */
export interface AbsenceColumns {
  readonly count: number;
  readonly kinds: number;
  /** For a list that has it. */
  readonly first: number;
  readonly second: number;
}

/** Lists of some days of a block, as they lie in its numbers. */
export type AbsenceLists = { readonly [L in ListName]: AbsenceColumns } & { readonly numbers: Wide };

/** Begins a block. */
export function noAbsenceEntries(): AbsenceEntries {
  return { opened: [], openedAtLeast: [], closed: [], closedAtLeast: [], gone: [], away: [] };
}

/** The stored form: how many entries each day has, list by list, then the columns of the lists, day after day. */
export function packAbsences(entries: AbsenceEntries): Uint8Array {
  const counts: number[] = [];
  const columns: number[] = [];
  for (const name of listNames) {
    const list = entries[name].toSorted((a, b) => a.day - b.day);
    for (let day = 0; day < daysInBlock; day++) counts.push(list.filter((entry) => entry.day === day).length);
    columns.push(...list.map(({ kind }) => kind));
    if (numbersOf[name] > 0) columns.push(...list.map(({ first }) => first));
    if (numbersOf[name] > 1) columns.push(...list.map(({ second }) => second));
  }
  return packWide([...counts, ...columns]);
}

/** The lists of the days from one place of a block to another (half-open). */
export function readAbsences(bytes: Uint8Array, from: number, to: number): AbsenceLists {
  const numbers = unpackWide(bytes);
  let header = 0;
  let position = listNames.length * daysInBlock;
  function next(columns: number): AbsenceColumns {
    let [before, within, all] = [0, 0, 0];
    for (let day = 0; day < daysInBlock; day++) {
      const count = numbers[header++] ?? 0;
      if (day < from) before += count;
      else if (day < to) within += count;
      all += count;
    }
    const kinds = position + before;
    position += all * (columns + 1);
    return { count: within, kinds, first: kinds + all, second: kinds + 2 * all };
  }
  return {
    numbers,
    opened: next(numbersOf.opened),
    openedAtLeast: next(numbersOf.openedAtLeast),
    closed: next(numbersOf.closed),
    closedAtLeast: next(numbersOf.closedAtLeast),
    gone: next(numbersOf.gone),
    away: next(numbersOf.away),
  };
}
