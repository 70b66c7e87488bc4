import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** One value of a row. */
export type Cell = unknown;
/** One row as an array of its columns. */
export type Row = readonly Cell[];

function isRow(value: unknown): value is Row {
  return Array.isArray(value);
}

function areRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && (value.length === 0 || Array.isArray(value[0]));
}

/** All rows of a statement that returns arrays. */
export function allRows(statement: StatementSync, ...parameters: readonly SQLInputValue[]): readonly Row[] {
  const rows: unknown = statement.all(...parameters);
  if (!areRows(rows)) throw new Error('a statement of the store does not return arrays');
  return rows;
}

/** The first row of a statement that returns arrays, null where there is none. */
export function firstRow(statement: StatementSync, ...parameters: readonly SQLInputValue[]): Row | null {
  const row: unknown = statement.get(...parameters);
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

/** A time as it is stored: whole milliseconds. What is no time would become a null that no reader expects, so it throws. */
export function milliseconds(time: number): number {
  if (!Number.isFinite(time)) throw new Error(`${time} is no time that can be stored`);
  return Math.round(time);
}

/** A time as it is stored, null for none. */
export function millisecondsOrNull(time: number | null | undefined): number | null {
  return time === null || time === undefined ? null : milliseconds(time);
}
