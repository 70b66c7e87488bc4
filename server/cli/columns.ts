import { legibleLine } from '#lib/domain/observation/legible.ts';

/** Rows of cells as lines of a table for people, each column as wide as its widest cell; the last one is not filled up. */
export function inColumns(table: readonly (readonly string[])[]): readonly string[] {
  const rows = table.map((row) => row.map(legibleLine));
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
