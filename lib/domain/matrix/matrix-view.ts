import type { FleetView } from '../../api/fleet.ts';
import type { Verdict } from '../verdict.ts';
import { verdictRank, verdicts } from '../verdict.ts';
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

/** Whether a view shows this cluster at all, by its name and labels. */
export function showsCluster(
  view: FleetView,
  cluster: { readonly name: string; readonly labels: { readonly [key: string]: string } },
): boolean {
  if (view.cluster !== '' && !view.cluster.split(',').includes(cluster.name)) return false;
  return (parseLabels(view.label) ?? []).every(([key, value]) => cluster.labels[key] === value);
}

/**
 * Lays rows under all their columns (`matrixColumns`) as a view asks. A verdict filter leaves out rows and columns without any such object and keeps the
 * others whole: an emptied cell would say "not deployed here". Free text keeps the clusters and columns whose name has it.
 */
export function matrixView(view: FleetView, rows: readonly MatrixRow[], all: readonly MatrixColumn[]): MatrixView {
  const wanted = (parseVerdicts(view.verdict) ?? []).reduce((bits, verdict) => bits | (1 << verdictRank(verdict)), 0);
  const text = view.q.trim().toLowerCase();
  let columns = all;
  let shown = rows;
  if (text !== '') {
    const named = rows.filter((row) => row.cluster.toLowerCase().includes(text));
    const titled = columns.filter(
      (column) => column.title.toLowerCase().includes(text) || column.group.toLowerCase() === text,
    );
    if (titled.length > 0) columns = titled;
    shown =
      named.length > 0
        ? named
        : titled.length > 0
          ? rows.filter((row) => titled.some((column) => row.bySlot[column.slot] !== undefined))
          : [];
    if (shown.length === 0) columns = [];
  }
  if (wanted !== 0) {
    const kept = columns.filter((column) => shown.some((row) => deviates(row, column, wanted)));
    shown = shown.filter((row) => kept.some((column) => deviates(row, column, wanted)));
    columns = kept;
  }
  return { columns, rows: orderRows(shown, view.rows, view.sort) };
}

function deviates(row: MatrixRow, column: MatrixColumn, wanted: number): boolean {
  return ((row.bySlot[column.slot]?.verdicts ?? 0) & wanted) !== 0;
}
