'use client';

import { memo } from 'react';
import { CellView } from './cell-view.tsx';
import { noCell, type Cell, type Line } from './grid.ts';
import type { HeaderItem } from './items.ts';
import { HeaderState } from './header-state.tsx';
import { middleEllipsis } from './titles.ts';
import { isUnseen } from '../../ui/row-state.ts';

/** The columns that are to be drawn; `lefts` where they are virtual. */
export interface ColumnWindow {
  readonly heads: readonly HeaderItem[];
  readonly lefts: readonly number[] | null;
}

interface LineViewProps {
  readonly line: Line;
  readonly row: number;
  readonly prefix: string;
  readonly columns: ColumnWindow;
  /** The column that Tab comes to in this row: its key, 'name' for the head of the row, null for none. */
  readonly stop: string | null;
  /** px from the top, where rows are virtual. */
  readonly top: number | null;
  /** True if any alarm is read. */
  readonly heard: boolean;
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
  heard,
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
      {columns.heads.map((head, at) => (
        <CellView
          key={head.key}
          cell={cellOf(line, head)}
          href={hrefUnder(line, head)}
          column={head.column}
          head={head.key}
          span={head.type === 'fold' ? head.indices.length : 1}
          first={head.first}
          stop={stop === head.key}
          left={columns.lefts?.[at] ?? null}
          heard={heard}
          unfold={head.type === 'fold' ? () => onUnfold(head.group) : null}
        />
      ))}
    </tr>
  );
});

/** The cell under a head; under a fold, one of those that it holds (they are all in order). */
function cellOf(line: Line, head: HeaderItem): Cell {
  if (head.type === 'head') return line.cells[head.index] ?? noCell;
  const cells = head.indices.map((index) => line.cells[index] ?? noCell);
  return cells.find((cell) => cell.verdict !== null) ?? cells[0] ?? noCell;
}

function hrefUnder(line: Line, head: HeaderItem): string {
  return line.hrefAt(head.type === 'head' ? head.index : (head.indices[0] ?? 0));
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
