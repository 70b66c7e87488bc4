import type { Cell, Grid, Line } from '../grid/grid.ts';

/** Other clusters beside the commit of a cell: ", as on 11 of 12 other clusters"; '' where there is none to compare with. */
export function comparison(grid: Grid, line: Line, index: number, cell: Cell): string {
  if (cell.commit === null) return '';
  const column = grid.transposed ? line.cells : grid.lines.map((one) => one.cells[index]);
  const known = column.flatMap((one) => one?.commit ?? []);
  const same = known.filter((commit) => commit === cell.commit).length;
  if (known.length < 2) return '';
  const others = known.length - 1;
  return `, as on ${same - 1} of ${others} other ${others === 1 ? 'cluster' : 'clusters'}`;
}
