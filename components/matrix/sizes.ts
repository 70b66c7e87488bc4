import type { CSSProperties } from 'react';
import type { Grid, GridHeader } from './grid/grid.ts';
import { uprightGroups, type HeaderItem } from './grid/items.ts';

function longest(names: readonly string[]): number {
  return Math.max(4, ...names.map((name) => Math.min(name.length, 28)));
}

/** px that the names of the rows need, within bounds. */
function nameWidth(lines: readonly GridHeader[]): number {
  return Math.min(208, Math.max(120, Math.round(longest(lines.map((line) => line.title)) * 7.3) + 12));
}

/** Sizes that follow from the names: as wide and as high as the longest needs, within bounds (px). */
export function sizesOf(grid: Grid, headers: readonly HeaderItem[], labels: number): CSSProperties {
  const upright = [...grid.headers.map((header) => header.title), ...uprightGroups(headers)];
  const height = Math.min(160, Math.round(Math.min(longest(upright), 24) * 6.6) + 16);
  return {
    '--columns': headers.length,
    '--head-height': `${height}px`,
    '--name-width': `${nameWidth(grid.lines)}px`,
    '--labels': grid.transposed ? 0 : labels,
  };
}

/** px of a landscape page of A4 or Letter between its margins, whichever is narrower; of a column on it; beside each name. */
const page = 960;
const column = 24;
const besideName = 86;
const label = 84;

/** Number of columns across a page. */
function columnsAcross(grid: Grid, labels: number): number {
  return Math.max(6, Math.floor((page - nameWidth(grid.lines) - besideName - labels * label) / column));
}

/** From so many rows or columns the matrix on the screen draws only what is near the window. */
export const virtualFrom = 41;

/** True if the matrix is printed as it stands on the screen: all of it is drawn, and a page is as wide. */
export function fitsPaper(grid: Grid, columns: number, items: number, labels: number): boolean {
  if (items >= virtualFrom) return false;
  return grid.transposed || columns <= columnsAcross(grid, labels);
}

/** The columns of each part that is printed: as few parts as can be, all about as wide. */
export function partsOf(
  grid: Grid,
  headers: readonly HeaderItem[],
  labels: number,
): readonly (readonly HeaderItem[])[] {
  if (grid.transposed) return [headers];
  const parts = Math.ceil(headers.length / columnsAcross(grid, labels));
  const width = Math.ceil(headers.length / parts);
  return Array.from({ length: parts }, (_, part) => headers.slice(part * width, (part + 1) * width).map(firstOf));
}

/** A part begins with the edge of a group, also where it begins within one. */
function firstOf(header: HeaderItem, index: number): HeaderItem {
  return index === 0 ? { ...header, first: true } : header;
}
