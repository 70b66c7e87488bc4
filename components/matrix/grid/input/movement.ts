/** A place in the grid: row and column from 0; column 0 is the head of the row, row 0 the heads of the columns. */
export interface Spot {
  readonly row: number;
  readonly column: number;
}

const pageRows = 10;

/** Where a key leads from a place (WAI-ARIA grid pattern); null where the key is not for moving. */
export function moved(at: Spot, key: string, ctrl: boolean, rows: number, columns: number): Spot | null {
  const to = target(at, key, ctrl, rows - 1, columns - 1);
  if (to === null) return null;
  return { row: clamp(to.row, rows - 1), column: clamp(to.column, columns - 1) };
}

function target({ row, column }: Spot, key: string, ctrl: boolean, lastRow: number, lastColumn: number): Spot | null {
  switch (key) {
    case 'ArrowUp':
      return { row: ctrl ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: ctrl ? lastRow : row + 1, column };
    case 'ArrowLeft':
      return { row, column: ctrl ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: ctrl ? lastColumn : column + 1 };
    case 'Home':
      return { row: ctrl ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrl ? lastRow : row, column: lastColumn };
    case 'PageUp':
      return { row: row - pageRows, column };
    case 'PageDown':
      return { row: row + pageRows, column };
    default:
      return null;
  }
}

function clamp(value: number, last: number): number {
  return Math.min(Math.max(value, 0), Math.max(last, 0));
}
