'use client';

import type { Shades } from '../by-commit/shades.ts';
import type { Item } from './items.ts';
import { LineView, type ColumnWindow, roles } from './line-view.tsx';

interface ItemViewProps {
  readonly item: Item;
  readonly top: number | null;
  readonly columns: ColumnWindow;
  /** Number of columns of the grid. */
  readonly span: number;
  readonly stop: string | null;
  /** True if any alarm is read. */
  readonly alarmsRead: boolean;
  readonly shades: Shades | null;
  readonly onToggle: (section: string, open: boolean) => void;
  readonly onUnfold: (group: string) => void;
}

/** A row, the header of a group, or the line behind which rows in order are folded. */
export function ItemView({ item, top, columns, span, stop, alarmsRead, shades, onToggle, onUnfold }: ItemViewProps) {
  if (item.type === 'line') {
    const { line, row, prefix } = item;
    return (
      <LineView
        line={line}
        row={row}
        prefix={prefix}
        columns={columns}
        stop={stop}
        top={top}
        alarmsRead={alarmsRead}
        shades={shades}
        onUnfold={onUnfold}
      />
    );
  }
  const style = top === null ? undefined : { position: 'absolute' as const, top };
  if (item.type === 'group') {
    return (
      <tr {...roles.row} aria-rowindex={item.row} className="m-group" style={style}>
        <th {...roles.rowHeader} aria-colindex={1} aria-colspan={span} className="m-name">
          <b>{item.title}</b>
          {item.note}
          {item.prefix !== '' && <span className="ml-3">{item.prefix}…</span>}
        </th>
      </tr>
    );
  }
  return (
    <tr {...roles.row} aria-rowindex={item.row} data-k={item.key} className="m-row text-mute" style={style}>
      <th {...roles.rowHeader} aria-colindex={1} aria-colspan={span} className="m-name">
        <button
          type="button"
          data-h="name"
          data-roving=""
          tabIndex={stop === null ? -1 : 0}
          aria-expanded={item.open}
          onClick={() => onToggle(item.section, !item.open)}
          className="font-normal hover:text-ink"
        >
          {item.text}
          {item.open ? ', fold' : ', show'}
        </button>
      </th>
    </tr>
  );
}
