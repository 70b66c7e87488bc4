/** Some browsers forget what the parts of a table are once they are laid out by hand: here they are told again. */
export const roles = {
  grid: { role: 'grid' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  rowHead: { role: 'rowheader', scope: 'row' },
  columnHead: { role: 'columnheader', scope: 'col' },
  groupHead: { role: 'columnheader', scope: 'colgroup' },
} as const;
