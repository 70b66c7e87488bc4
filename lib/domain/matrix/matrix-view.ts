import type { Verdict } from '../verdict/verdict.ts';
import { verdictRank, verdicts } from '../verdict/verdict.ts';
import type { MatrixColumn } from './matrix-columns.ts';
import { orderRows } from './matrix-order.ts';
import type { MatrixRow } from './matrix-row.ts';

/** A view of the matrix that was read: which rows and columns it keeps. */
export interface MatrixView {
  readonly columns: readonly MatrixColumn[];
  readonly rows: readonly MatrixRow[];
}

/** Reads a comma-separated list of verdicts; null where a word is none. An empty text is an empty list (all). */
export function parseVerdicts(text: string): readonly Verdict[] | null {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const found = words.map((word) => verdicts.find((verdict) => verdict === word));
  const known = found.filter((verdict) => verdict !== undefined);
  return known.length === found.length ? known : null;
}

/** Reads key=value pairs, comma-separated; null where a pair has no "=". */
export function parseLabels(text: string): readonly (readonly [string, string])[] | null {
  const pairs: (readonly [string, string])[] = [];
  for (const pair of text.split(',').map((part) => part.trim())) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    if (cut < 1) return null;
    pairs.push([pair.slice(0, cut), pair.slice(cut + 1)]);
  }
  return pairs;
}

/**
 * Lays the rows of a view's scope under all their columns (`matrixColumns`). A verdict filter leaves out rows and columns without any
 * such object and keeps the others whole: an emptied cell would say "not deployed here".
 */
export function matrixView(
  view: { readonly verdict: string; readonly rows: string; readonly sort: 'worst' | 'name' },
  rows: readonly MatrixRow[],
  all: readonly MatrixColumn[],
): MatrixView {
  const wanted = (parseVerdicts(view.verdict) ?? []).reduce((bits, verdict) => bits | (1 << verdictRank(verdict)), 0);
  if (wanted === 0) return { columns: all, rows: orderRows(rows, view.rows, view.sort) };
  const columns = all.filter((column) => rows.some((row) => deviates(row, column, wanted)));
  const shown = rows.filter((row) => columns.some((column) => deviates(row, column, wanted)));
  return { columns, rows: orderRows(shown, view.rows, view.sort) };
}

function deviates(row: MatrixRow, column: MatrixColumn, wanted: number): boolean {
  return ((row.bySlot[column.slot]?.verdicts ?? 0) & wanted) !== 0;
}
