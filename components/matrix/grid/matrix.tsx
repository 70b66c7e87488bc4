'use client';

import './matrix.css';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import type { WireFleet, WireRow } from '#lib/api/fleet.ts';
import { countOf } from '#lib/format/number.ts';
import { useKeys } from '../../shell/keys/keys.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { deviationsOf } from './deviations.ts';
import { deviates, gridAt, gridOf, type Grid } from './grid.ts';
import { GridHeaders } from './grid-headers.tsx';
import { createSpotlight, spottedAt, type Spotted } from './hover.ts';
import { ItemView } from './item-view.tsx';
import { headerItemsOf, itemsOf } from './items.ts';
import { MiniMap } from './mini-map.tsx';
import type { Place } from './order.ts';
import { PaperMatrix } from '../paper-matrix.tsx';
import { placesOf } from './positions.ts';
import { ReadOut } from './read-out.tsx';
import { useFrozenPositions } from './use-frozen-positions.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useColumnWindow, useRowWindow } from './use-windows.ts';
import { roles } from './roles.ts';
import { isUnseen } from './row-state.ts';
import { fitsPaper, sizesOf } from '../sizes.ts';

interface MatrixProps {
  readonly fleet: WireFleet;
  /** The labels that stand beside each cluster's name. */
  readonly labels: readonly string[];
  /** What the line at the bottom says while no cell is read out. */
  readonly children?: ReactNode;
  /** What stands at its end, always. */
  readonly aside: ReactNode;
}

const mapFrom = 61;

function added(set: ReadonlySet<string>, value: string, present: boolean): ReadonlySet<string> {
  return new Set(present ? [...set, value] : [...set].filter((each) => each !== value));
}

/** Clusters by columns, worst first. Its order stands still while someone points at it or moves in it. */
export function Matrix({ fleet, labels, children, aside }: MatrixProps) {
  const router = useRouter();
  const grid = useRef<HTMLTableElement>(null);
  const [spotlight] = useState(createSpotlight);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const [openRows, setOpenRows] = useState<ReadonlySet<string>>(new Set());
  const [openColumns, setOpenColumns] = useState<ReadonlySet<string>>(new Set());

  const places = useMemo(() => placesOf(fleet.rows), [fleet.rows]);
  const order = useFrozenPositions(places, pointed || focused);
  const at = useMoment()?.at ?? null;
  const shown = useMemo(
    () => gridAt(gridOf(fleet, inOrderOf(fleet.rows, order.places)), at),
    [fleet, order.places, at],
  );
  const heads = useMemo(() => headerItemsOf(shown.heads, quietIn(shown), openColumns), [shown, openColumns]);
  const { items, rowCount } = useMemo(
    () =>
      shown.transposed
        ? itemsOf(shown.lines, byGroup(shown), openRows, null)
        : itemsOf(shown.lines, order.places, openRows, 'cluster'),
    [shown, order.places, openRows],
  );

  const stops = useMemo(
    () => ['heads', ...items.filter((item) => item.type !== 'group').map((item) => item.key)],
    [items],
  );
  const columnKeys = useMemo(() => ['name', ...heads.map((head) => head.key)], [heads]);
  const lines = useMemo(() => new Map(shown.lines.map((line) => [line.id, line])), [shown]);
  const headOf = useMemo(() => new Map(heads.map((head) => [head.key, head])), [heads]);
  const keys = useGridKeys({
    grid,
    rows: stops,
    columns: columnKeys,
    deviations: () =>
      deviationsOf(
        shown.lines,
        shown.heads.map((head) => head.id),
      ),
    commitAt,
    go,
  });
  useKeys({ ']': () => keys.jump(1), '[': () => keys.jump(-1) });
  const columns = useColumnWindow(grid, heads, keys.active.head);
  const rows = useRowWindow(grid, items, keys.active.item);

  const unfold = useCallback((group: string) => setOpenColumns((open) => added(open, group, true)), []);

  function commitAt(at: Spotted): string | null {
    const head = headOf.get(at.head);
    return head?.type === 'head' ? (lines.get(at.item)?.cells[head.index]?.mark?.commitHref ?? null) : null;
  }

  function go(href: string): void {
    if (href.startsWith('/')) router.push(href);
    else location.assign(href);
  }

  /** Links of the matrix are plain ones, for there are thousands; they still do not reload the page. */
  function onClick(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : null;
    if (href === null || href === undefined || !href.startsWith('/')) return;
    event.preventDefault();
    router.push(href);
  }

  const heard = fleet.head.guarantee.alarms !== 'not-read';
  const parted = !fitsPaper(shown, heads.length, items.length, labels.length);
  const stopIn = (key: string): string | null => (keys.active.item === key ? keys.active.head : null);
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
          aria-colcount={shown.heads.length + 1}
          aria-readonly="true"
          className="matrix"
          data-transposed={shown.transposed ? '' : undefined}
          data-narrow={columns.lefts === null ? undefined : ''}
          style={sizesOf(shown, heads, labels.length)}
          onKeyDown={keys.onKeyDown}
          onClick={onClick}
          onFocus={(event) => {
            const at = spottedAt(event.target);
            setFocused(true);
            spotlight.set(at, 'focus');
            if (at !== null) keys.setActive(at);
          }}
          onBlur={(event) => {
            if (event.currentTarget.contains(event.relatedTarget)) return;
            setFocused(false);
            spotlight.set(null, 'focus');
          }}
          onPointerEnter={(event) => setPointed(event.pointerType === 'mouse')}
          onPointerLeave={() => {
            setPointed(false);
            spotlight.set(
              spottedAt(grid.current?.contains(document.activeElement) === true ? document.activeElement : null),
              'focus',
            );
          }}
          onPointerOver={(event) => spotlight.set(spottedAt(event.target), 'pointer')}
        >
          <GridHeaders
            all={heads}
            columns={columns}
            transposed={shown.transposed}
            labels={labels}
            stop={stopIn('heads')}
            onUnfold={unfold}
          />
          <tbody className="m-body" {...roles.group} style={rows.total === null ? undefined : { height: rows.total }}>
            {rows.shown.map(({ item, top }) => (
              <ItemView
                key={item.key}
                item={item}
                top={top}
                columns={columns}
                span={shown.heads.length + 1}
                stop={stopIn(item.key)}
                heard={heard}
                onUnfold={unfold}
                onToggle={(section, open) => setOpenRows((before) => added(before, section, open))}
              />
            ))}
          </tbody>
        </table>
        {fleet.rows.length >= mapFrom && <MiniMap grid={grid} items={items} columns={shown.heads.length} />}
      </div>
      {parted && <PaperMatrix grid={shown} heads={heads} items={items} labels={labels} heard={heard} />}
      <ReadOut
        spotlight={spotlight}
        lineOf={(key) => lines.get(key)}
        headOf={(key) => headOf.get(key)}
        heard={heard}
        aside={aside}
      >
        {order.moves > 0 ? (
          <span>
            {countOf(order.moves, 'row')} would move:{' '}
            <button type="button" className="link" onClick={order.resort}>
              re-sort
            </button>
          </span>
        ) : (
          children
        )}
      </ReadOut>
    </>
  );
}

function inOrderOf(rows: readonly WireRow[], places: readonly Place[]): readonly WireRow[] {
  const byName = new Map(rows.map((row) => [row.cluster, row]));
  return places.flatMap((place) => byName.get(place.id) ?? []);
}

function byGroup(grid: Grid): readonly Place[] {
  return grid.lines.map((line) => ({ id: line.id, section: line.group, folded: false }));
}

/** Whether all that is seen in a column is in order. A column of which nothing is seen is not. */
function quietIn(grid: Grid): (index: number) => boolean {
  const seen = new Set<number>();
  const loud = new Set<number>();
  for (const line of grid.lines) {
    if (line.row !== null && isUnseen(line.row)) continue;
    line.cells.forEach((cell, index) => {
      if (cell.verdict !== null) seen.add(index);
      if (deviates(cell) || cell.mark !== null) loud.add(index);
    });
  }
  return (index) => seen.has(index) && !loud.has(index);
}
