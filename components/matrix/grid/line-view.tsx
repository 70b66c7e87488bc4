'use client';

import { memo } from 'react';
import type { Shades } from '../by-commit/shades.ts';
import { CellView } from './cell-view.tsx';
import { noCell, type Cell, type Line } from './grid.ts';
import type { HeaderItem } from './items.ts';
import { HeaderState } from './header-state.tsx';
import { middleEllipsis } from './titles.ts';
import { isUnseen } from '../../ui/row-state.ts';

/** The columns that are to be drawn; `lefts` where they are virtual. */
export interface ColumnWindow {
  readonly headers: readonly HeaderItem[];
  readonly lefts: readonly number[] | null;
}

interface LineViewProps {
  readonly line: Line;
  readonly row: number;
  readonly prefix: string;
  readonly columns: ColumnWindow;
  /** The column that Tab comes to in this row: its key, 'name' for the header of the row, null for none. */
  readonly stop: string | null;
  /** px from the top, where rows are virtual. */
  readonly top: number | null;
  /** True if any alarm is read. */
  readonly alarmsRead: boolean;
  /** Shades of commits; null where cells are coloured by verdict. */
  readonly shades: Shades | null;
  /** Shows the columns of a group that are folded into one. */
  readonly onUnfold: (group: string) => void;
}

const longest = 28;

/** One row of the matrix. Drawn again only when something in it changes. */
export const LineView = memo(function LineView({
  line,
  row,
  prefix,
  columns,
  stop,
  top,
  alarmsRead,
  shades,
  onUnfold,
}: LineViewProps) {
  const blind = line.row !== null && isUnseen(line.row);
  return (
    <tr
      {...roles.row}
      aria-rowindex={row}
      data-k={line.id}
      className={blind ? 'm-row m-blind' : 'm-row'}
      style={top === null ? undefined : { position: 'absolute', top }}
    >
      <th {...roles.rowHeader} aria-colindex={1} className="m-name">
        <a
          href={line.href}
          data-h="name"
          data-roving=""
          tabIndex={stop === 'name' ? 0 : -1}
          title={line.title}
          aria-label={line.title}
        >
          {middleEllipsis(line.title.slice(prefix.length), longest)}
        </a>
        {line.row?.labels.map((value, at) => (
          <span key={`${at}${value}`} className="m-label" title={value}>
            {value}
          </span>
        ))}
        {line.row !== null && <HeaderState row={line.row} />}
      </th>
      {columns.headers.map((header, at) => (
        <CellView
          key={header.key}
          cell={cellOf(line, header)}
          href={hrefUnder(line, header)}
          column={header.column}
          header={header.key}
          span={header.type === 'fold' ? header.indices.length : 1}
          first={header.first}
          stop={stop === header.key}
          left={columns.lefts?.[at] ?? null}
          alarmsRead={alarmsRead}
          shades={shades}
          cluster={clusterOf(line, header)}
          unfold={header.type === 'fold' ? () => onUnfold(header.group) : null}
        />
      ))}
    </tr>
  );
});

/** The cluster of a cell; null under a fold of clusters. */
function clusterOf(line: Line, header: HeaderItem): string | null {
  if (line.row !== null) return line.row.cluster;
  return header.type === 'header' ? (header.header.row?.cluster ?? null) : null;
}

/** The cell under a header; under a fold, one of those that it holds (they are all in order). */
function cellOf(line: Line, header: HeaderItem): Cell {
  if (header.type === 'header') return line.cells[header.index] ?? noCell;
  const cells = header.indices.map((index) => line.cells[index] ?? noCell);
  return cells.find((cell) => cell.verdict !== null) ?? cells[0] ?? noCell;
}

function hrefUnder(line: Line, header: HeaderItem): string {
  return line.hrefAt(header.type === 'header' ? header.index : (header.indices[0] ?? 0));
}

/** Some browsers forget what the parts of a table are once they are laid out by hand: here they are told again. */
export const roles = {
  grid: { role: 'grid' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  rowHeader: { role: 'rowheader', scope: 'row' },
  columnHeader: { role: 'columnheader', scope: 'col' },
  groupHeader: { role: 'columnheader', scope: 'colgroup' },
} as const;
