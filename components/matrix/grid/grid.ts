import { cellCodes, type WireColumn, type WireFleet, type WireMark, type WireRow } from '#lib/api/fleet.ts';
import { clusterPath, objectPath, pathAt } from '#lib/api/paths.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { isUnseen } from '../../ui/row-state.ts';

/** One cell: its verdict (null: nothing of this column is known there) and what it says. */
export interface Cell {
  readonly verdict: Verdict | null;
  /** True if its cluster is seen: only then nothing known is nothing deployed. */
  readonly seen: boolean;
  readonly mark: WireMark | null;
  /** Behind how much of it nobody measures drift. */
  readonly unmeasured: 'none' | 'some' | 'all';
  /** Number of exemptions behind it; `mostExemptions` stands for as many or more. */
  readonly exemptions: number;
  /** The commit that runs, whole; null where none is known. */
  readonly commit: string | null;
  /** True if a source stands behind it: every later commit counts for it, for it has no path. */
  readonly source: boolean;
}

/** As many exemptions as one letter can tell. */
export const mostExemptions = 35;

/** Head of a row or of a column of the grid. */
export interface GridHeader {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly href: string;
  /** The cluster, where the header stands for one. */
  readonly row: WireRow | null;
}

/** A row of the grid with its cells, one a header. */
export interface Line extends GridHeader {
  readonly cells: readonly Cell[];
  /** Where the cell under the header of this index leads. */
  readonly hrefAt: (index: number) => string;
}

export interface Grid {
  /** Clusters across and columns down: fewer than six clusters. */
  readonly transposed: boolean;
  readonly lines: readonly Line[];
  readonly headers: readonly GridHeader[];
}

// Cells that say nothing are shared: a large fleet has tens of thousands of them.
const unmeasuredBy: Readonly<Record<string, Cell['unmeasured']>> = { s: 'some', a: 'all' };
const verdictBy = new Map(verdicts.map((verdict): [string, Verdict] => [cellCodes[verdict], verdict]));
const mostShared = 5_000;
const silentCells = new Map<string, Cell>();

function silentCell(row: WireRow, c: number): Cell {
  const { cells, drift, exempt, sources } = row;
  const code = cells[c] ?? ' ';
  const verdict = verdictBy.get(code);
  if (verdict === undefined) return noCell;
  const commit = commitUnder(row, c);
  const key = `${code}${drift[c] ?? ' '}${exempt[c] ?? ' '}${sources[c] ?? ' '}${commit ?? ''}`;
  const found = silentCells.get(key);
  if (found) return found;
  const exemptions = Number.parseInt(exempt[c] ?? '', 36) || 0;
  const unmeasured = unmeasuredBy[drift[c] ?? ' '] ?? 'none';
  const made = { ...noCell, verdict, unmeasured, exemptions, commit, source: sources[c] === 's' };
  // Commits come and go while a page stands open.
  if (silentCells.size >= mostShared) silentCells.clear();
  silentCells.set(key, made);
  return made;
}

export const noCell: Cell = {
  verdict: null,
  seen: true,
  mark: null,
  unmeasured: 'none',
  exemptions: 0,
  commit: null,
  source: false,
};
const unseenCell: Cell = { ...noCell, seen: false };

/** On a cluster that is not seen no cell may look like good, nor like nothing. */
function unseen(cell: Cell): Cell {
  if (cell.verdict === null) return unseenCell;
  return { ...cell, seen: false, verdict: cell.mark === null ? 'unobserved' : cell.verdict };
}

const known = new WeakMap<WireRow, readonly Cell[]>();

/** The cells of a cluster's row, one a column. The same row gives the same cells, so that what did not change is not drawn again. */
export function cellsOf(row: WireRow): readonly Cell[] {
  const before = known.get(row);
  if (before !== undefined) return before;
  const cells = Array.from(row.cells, (_, c) => silentCell(row, c));
  for (const mark of row.marks) cells[mark.c] = { ...(cells[mark.c] ?? noCell), mark };
  const shown = isUnseen(row) ? cells.map(unseen) : cells;
  known.set(row, shown);
  return shown;
}

function commitUnder({ runs, commits }: WireRow, c: number): string | null {
  return commits[Number.parseInt(runs[c] ?? '', 36)] ?? null;
}

function hrefOf(row: WireRow, column: WireColumn | undefined, index: number): string {
  const mark = cellsOf(row)[index]?.mark;
  if (mark !== undefined && mark !== null) return mark.href;
  if (column === undefined) return clusterPath(row.cluster);
  if (column.object !== null) return objectPath({ cluster: row.cluster, ...column.object });
  return `${column.href}${column.href.includes('?') ? '&' : '?'}cluster=${encodeURIComponent(row.cluster)}`;
}

function headerOfRow(row: WireRow): GridHeader {
  return { id: row.cluster, group: row.group, title: row.cluster, href: clusterPath(row.cluster), row };
}

function headerOfColumn(column: WireColumn): GridHeader {
  return { id: column.id, group: column.group, title: column.title, href: column.href, row: null };
}

/** The grid of a fleet, with its rows in the order given. Below six clusters they stand across. */
export function gridOf(fleet: Pick<WireFleet, 'columns'>, rows: readonly WireRow[]): Grid {
  const { columns } = fleet;
  if (rows.length >= 6) {
    const lines = rows.map((row): Line => ({
      ...headerOfRow(row),
      cells: cellsOf(row),
      hrefAt: (index) => hrefOf(row, columns[index], index),
    }));
    return { transposed: false, lines, headers: columns.map(headerOfColumn) };
  }
  const across = rows.map(cellsOf);
  const lines = columns.map((column, index): Line => {
    const hrefAt = (at: number) => (rows[at] === undefined ? column.href : hrefOf(rows[at], column, index));
    return { ...headerOfColumn(column), cells: across.map((cells) => cells[index] ?? noCell), hrefAt };
  });
  return { transposed: true, lines, headers: rows.map(headerOfRow) };
}

/** The same grid, whose links lead to a past moment (as in `momentText`); null for the present. */
export function gridAt(grid: Grid, at: string | null): Grid {
  if (at === null) return grid;
  return {
    ...grid,
    headers: grid.headers.map((header) => ({ ...header, href: pathAt(header.href, at) })),
    lines: grid.lines.map((line) => ({
      ...line,
      href: pathAt(line.href, at),
      hrefAt: (index) => pathAt(line.hrefAt(index), at),
    })),
  };
}

/** True if a cell is something other than in order. What is only declared is never observed, and deviates from nothing. */
export function deviates(cell: Cell): boolean {
  return cell.verdict !== null && cell.verdict !== 'converged' && cell.mark?.declared !== true;
}
