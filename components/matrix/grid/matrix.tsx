'use client';

import './matrix.css';
import { useMemo, useRef, type ReactNode } from 'react';
import type { WireFleet } from '#lib/api/fleet.ts';
import { countOf } from '#lib/format/number.ts';
import { useToldNames } from '../../queries/use-commit-name.ts';
import { useKeys } from '../../shell/keys/keys.ts';
import { deviationsOf } from './input/deviations.ts';
import type { Grid } from './grid.ts';
import { GridHeaders } from './grid-headers.tsx';
import { type Spotted, usePointed } from './input/hover.ts';
import { ItemView } from './item-view.tsx';
import type { HeaderItem, Item } from './items.ts';
import { MiniMap } from './mini-map.tsx';
import { PaperMatrix } from '../paper-matrix.tsx';
import { ReadOut } from './read-out.tsx';
import { roles } from './line-view.tsx';
import { useGridKeys } from './input/use-grid-keys.ts';
import { useLinks } from './input/use-links.ts';
import { useShownGrid } from './use-shown-grid.ts';
import { useColumnWindow, useRowWindow } from './use-windows.ts';
import { type Shades, widthByCommit } from '../by-commit/shades.ts';
import { fitsPaper, sizesOf } from '../sizes.ts';

interface MatrixProps {
  readonly fleet: WireFleet;
  /** The labels that stand beside each cluster's name. */
  readonly labels: readonly string[];
  /** Shades of commits, where the cells are coloured by them; null where they are by verdict. */
  readonly shades: Shades | null;
  /** Content of the line at the bottom while no cell is read out. */
  readonly children?: ReactNode;
  /** Content at its end, always. */
  readonly aside: ReactNode;
}

const mapFrom = 61;

/** Clusters by columns, worst first. Its order stands still while someone points at it or moves in it. */
export function Matrix({ fleet, labels, shades, children, aside }: MatrixProps) {
  const grid = useRef<HTMLTableElement>(null);
  const { spotlight, held, handlers } = usePointed(grid);
  const { shown, headers, items, rowCount, order, unfold, toggle } = useShownGrid(fleet, held, shades !== null);
  const { go, onClick } = useLinks();
  const { keys, lines, headerOf } = useCells({ grid, shown, headers, items, go });
  const columns = useColumnWindow(grid, headers, keys.active.header, shades === null ? 28 : widthByCommit);
  const rows = useRowWindow(grid, items, keys.active.item);
  const shared = { alarmsRead: fleet.summary.guarantee.alarms !== 'not-read', shades };
  const parted = !fitsPaper(shown, headers.length, items.length, labels.length);
  const stopIn = (key: string): string | null => (keys.active.item === key ? keys.active.header : null);
  return (
    <>
      <div className="matrix-area" data-parted={parted ? '' : undefined}>
        {/* The linter does not see the role: a grid is interactive. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <table
          ref={grid}
          {...roles.grid}
          aria-label={shown.transposed ? 'Columns by clusters' : 'Clusters by columns'}
          aria-rowcount={rowCount}
          aria-colcount={shown.headers.length + 1}
          aria-readonly="true"
          className="matrix"
          data-transposed={shown.transposed ? '' : undefined}
          data-by-commit={shades === null ? undefined : ''}
          data-narrow={columns.lefts === null ? undefined : ''}
          style={sizesOf(shown, headers, labels.length)}
          onKeyDown={keys.onKeyDown}
          onClick={onClick}
          {...handlers(keys.setActive)}
        >
          <GridHeaders
            all={headers}
            columns={columns}
            transposed={shown.transposed}
            labels={labels}
            stop={stopIn('headers')}
            onUnfold={unfold}
          />
          <tbody className="m-body" {...roles.group} style={rows.total === null ? undefined : { height: rows.total }}>
            {rows.shown.map(({ item, top }) => (
              <ItemView
                key={item.key}
                item={item}
                top={top}
                columns={columns}
                span={shown.headers.length + 1}
                stop={stopIn(item.key)}
                {...shared}
                onUnfold={unfold}
                onToggle={toggle}
              />
            ))}
          </tbody>
        </table>
        {fleet.rows.length >= mapFrom && <MiniMap grid={grid} items={items} columns={shown.headers.length} />}
      </div>
      {parted && <PaperMatrix grid={shown} headers={headers} items={items} labels={labels} {...shared} />}
      <ReadOut
        spotlight={spotlight}
        lineOf={(key) => lines.get(key)}
        headerOf={(key) => headerOf.get(key)}
        {...shared}
        grid={shown}
        aside={aside}
      >
        {order.moves > 0 ? <WouldMove moves={order.moves} resort={order.resort} /> : children}
      </ReadOut>
    </>
  );
}

function WouldMove({ moves, resort }: { readonly moves: number; readonly resort: () => void }) {
  return (
    <span>
      {countOf(moves, 'row')} would move:{' '}
      <button type="button" className="link" onClick={resort}>
        re-sort
      </button>
    </span>
  );
}

interface Cells {
  readonly grid: React.RefObject<HTMLElement | null>;
  readonly shown: Grid;
  readonly headers: readonly HeaderItem[];
  readonly items: readonly Item[];
  readonly go: (href: string) => void;
}

/** Rows and columns by their keys, and the keyboard's way through the cells. */
function useCells({ grid, shown, headers, items, go }: Cells) {
  const stops = useMemo(
    () => ['headers', ...items.filter((item) => item.type !== 'group').map((item) => item.key)],
    [items],
  );
  const columnKeys = useMemo(() => ['name', ...headers.map((header) => header.key)], [headers]);
  const lines = useMemo(() => new Map(shown.lines.map((line) => [line.id, line])), [shown]);
  const headerOf = useMemo(() => new Map(headers.map((header) => [header.key, header])), [headers]);
  const nameOf = useToldNames();
  function commitAt(at: Spotted): string | null {
    const header = headerOf.get(at.header);
    const cell = header?.type === 'header' ? lines.get(at.item)?.cells[header.index] : undefined;
    return nameOf(cell?.commit ?? null)?.self ?? cell?.mark?.commitHref ?? null;
  }
  const keys = useGridKeys({
    grid,
    rows: stops,
    columns: columnKeys,
    deviations: () =>
      deviationsOf(
        shown.lines,
        shown.headers.map((header) => header.id),
      ),
    commitAt,
    go,
  });
  useKeys({ ']': () => keys.jump(1), '[': () => keys.jump(-1) });
  return { keys, lines, headerOf };
}
