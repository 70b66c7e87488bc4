import { cellCodes, type WireColumn, type WireFleet, type WireMark, type WireRow } from '#lib/api/fleet.ts';
import { clusterPath, objectPath } from '#lib/api/paths.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict.ts';

/** One cell: its verdict (null: nothing of this column is deployed there), what it says, where it leads. */
export interface Cell {
  readonly verdict: Verdict | null;
  readonly mark: WireMark | null;
  readonly href: string;
}

/** What stands at the head of a row or of a column of the grid. */
export interface Head {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly href: string;
  /** The cluster, where the head stands for one. */
  readonly row: WireRow | null;
}

/** A row of the grid with its cells, one a head. */
export interface Line extends Head {
  readonly cells: readonly Cell[];
}

export interface Grid {
  /** Clusters across and columns down: fewer than six clusters. */
  readonly transposed: boolean;
  readonly lines: readonly Line[];
  readonly heads: readonly Head[];
}

const verdictOf = new Map<string, Verdict>(verdicts.map((verdict) => [cellCodes[verdict], verdict]));
const known = new WeakMap<WireRow, { readonly columns: readonly WireColumn[]; readonly cells: readonly Cell[] }>();

/** The cells of a cluster's row, one a column. The same row gives the same cells, so that what did not change is not drawn again. */
export function cellsOf(row: WireRow, columns: readonly WireColumn[]): readonly Cell[] {
  const before = known.get(row);
  if (before !== undefined && before.columns === columns) return before.cells;
  const marks = new Map(row.marks.map((mark) => [mark.c, mark]));
  const cells = columns.map((column, index): Cell => {
    const mark = marks.get(index) ?? null;
    return {
      verdict: verdictOf.get(row.cells.charAt(index)) ?? null,
      mark,
      href: mark?.href ?? hrefOf(row.cluster, column),
    };
  });
  known.set(row, { columns, cells });
  return cells;
}

function hrefOf(cluster: string, column: WireColumn): string {
  if (column.object !== null) return objectPath({ cluster, ...column.object });
  return `${column.href}${column.href.includes('?') ? '&' : '?'}cluster=${encodeURIComponent(cluster)}`;
}

function headOfRow(row: WireRow): Head {
  return { id: row.cluster, group: row.group, title: row.cluster, href: clusterPath(row.cluster), row };
}

function headOfColumn(column: WireColumn): Head {
  return { id: column.id, group: column.group, title: column.title, href: column.href, row: null };
}

/** The grid of a fleet, with its rows in the order given. Below six clusters they stand across. */
export function gridOf(fleet: Pick<WireFleet, 'columns'>, rows: readonly WireRow[]): Grid {
  const { columns } = fleet;
  if (rows.length >= 6) {
    const lines = rows.map((row): Line => ({ ...headOfRow(row), cells: cellsOf(row, columns) }));
    return { transposed: false, lines, heads: columns.map(headOfColumn) };
  }
  const across = rows.map((row) => cellsOf(row, columns));
  const lines = columns.map((column, index): Line => ({
    ...headOfColumn(column),
    cells: across.flatMap((cells) => cells[index] ?? []),
  }));
  return { transposed: true, lines, heads: rows.map(headOfRow) };
}

/** Whether a cell is something other than in order. */
export function deviates(cell: Cell): boolean {
  return cell.verdict !== null && cell.verdict !== 'converged';
}
