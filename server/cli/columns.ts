import { legibleLine } from '#lib/domain/observation/legible.ts';

/** Rows of cells as lines of a table for people, each column as wide as its widest cell; the last one is not filled up. */
export function inColumns(table: readonly (readonly string[])[]): readonly string[] {
  const rows = table.map((row) => row.map(legibleLine));
  const widths: number[] = [];
  // A fleet has more rows than a call takes arguments.
  for (const row of rows)
    for (const [column, { length }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, length);
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
