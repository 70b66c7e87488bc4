import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** One value of a row. */
export type Cell = unknown;
/** One row as an array of its columns. */
export type Row = readonly Cell[];

/** The furthest time from 1970 that a date can hold, ms (ECMA-262, Time Values). */
const furthest = 8.64e15;

/**
 * The rows that `read` gives, an integer that no number holds as the furthest time. A single one of them makes the whole
 * statement throw, and would hide every other row: then all is read once more, as what it is.
 */
function readable(statement: StatementSync, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  statement.setReadBigInts(true);
  try {
    const rows = read();
    return Array.isArray(rows) ? rows.map(withNumbers) : rows;
  } finally {
    statement.setReadBigInts(false);
  }
}

function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers);
  return typeof value === 'bigint' ? bounded(Number(value)) : value;
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value);
}

function areRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && (value.length === 0 || Array.isArray(value[0]));
}

/** All rows of a statement that returns arrays. */
export function allRows(statement: StatementSync, ...parameters: readonly SQLInputValue[]): readonly Row[] {
  const rows: unknown = readable(statement, () => statement.all(...parameters));
  if (!areRows(rows)) throw new Error('a statement of the store does not return arrays');
  return rows;
}

/** The first row of a statement that returns arrays, null where there is none. */
export function firstRow(statement: StatementSync, ...parameters: readonly SQLInputValue[]): Row | null {
  const row: unknown = readable(statement, () => statement.get(...parameters));
  if (row === undefined) return null;
  if (!isRow(row)) throw new Error('a statement of the store does not return arrays');
  return row;
}

/** The row of something that the store must have; throws where it has none. */
export function oneRow(statement: StatementSync, ...parameters: readonly number[]): Row {
  const row = firstRow(statement, ...parameters);
  if (row === null) throw new Error(`the store has no row ${parameters.join(', ')} where one belongs`);
  return row;
}

/** The integer in the first column of the first row; null where there is no row, or null in it. */
export function firstWhole(statement: StatementSync, ...parameters: readonly SQLInputValue[]): number | null {
  const row = firstRow(statement, ...parameters);
  return row === null ? null : wholeOrNull(row[0]);
}

/** The integer in a cell. */
export function whole(cell: Cell): number {
  if (typeof cell !== 'number') throw new Error(`the store holds ${typeof cell} where a number belongs`);
  return cell;
}

/** The integer in a cell, or null. */
export function wholeOrNull(cell: Cell): number | null {
  return cell === null ? null : whole(cell);
}

/** The text in a cell. */
export function text(cell: Cell): string {
  if (typeof cell !== 'string') throw new Error(`the store holds ${typeof cell} where a text belongs`);
  return cell;
}

/** The text in a cell, or null. */
export function textOrNull(cell: Cell): string | null {
  return cell === null ? null : text(cell);
}

/**
 * A time as it is stored: whole milliseconds, the first or the last that a date can hold where it lies beyond: a larger integer could
 * not be read back. What is no time would become a null that no reader expects, so it throws.
 */
export function milliseconds(time: number): number {
  // On its way to the writer's thread what is no number becomes null, whatever its type says.
  if (typeof time !== 'number' || Number.isNaN(time)) throw new Error(`${time} is no time that can be stored`);
  return Math.round(bounded(time));
}

function bounded(time: number): number {
  return Math.min(Math.max(time, -furthest), furthest);
}

/** A number of things as it is stored: an integer that can be read back. */
export function wholeCount(count: number): number {
  return Math.round(bounded(count));
}

/** A time as it is stored, null for none. */
export function millisecondsOrNull(time: number | null | undefined): number | null {
  return time === null || time === undefined ? null : milliseconds(time);
}
