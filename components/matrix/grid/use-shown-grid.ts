import { useCallback, useMemo, useState } from 'react';
import type { WireFleet, WireRow } from '#lib/api/fleet.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { deviates, gridAt, gridOf, type Grid } from './grid.ts';
import { headerItemsOf, itemsOf } from './items.ts';
import { type RowPosition, frozenPositions, movesBetween, positionsOf } from './order.ts';
import { isUnseen } from '../../ui/row-state.ts';

/** The grid of a fleet in its order, with what is folded and what is open; the order stands still while `held`. `whole`: nothing is folded. */
export function useShownGrid(fleet: WireFleet, held: boolean, whole: boolean) {
  const [openRows, setOpenRows] = useState<ReadonlySet<string>>(new Set());
  const [openColumns, setOpenColumns] = useState<ReadonlySet<string>>(new Set());
  const positions = useMemo(() => {
    const each = positionsOf(fleet.rows);
    return whole ? each.map((position) => ({ ...position, folded: false })) : each;
  }, [fleet.rows, whole]);
  const order = useFrozenPositions(positions, held);
  const at = useMoment()?.at ?? null;
  const shown = useMemo(
    () => gridAt(gridOf(fleet, inOrderOf(fleet.rows, order.positions)), at),
    [fleet, order.positions, at],
  );
  const headers = useMemo(
    () => headerItemsOf(shown.headers, whole ? () => false : quietIn(shown), openColumns),
    [shown, openColumns, whole],
  );
  const { items, rowCount } = useMemo(
    () =>
      shown.transposed
        ? itemsOf(shown.lines, byGroup(shown), openRows, null)
        : itemsOf(shown.lines, order.positions, openRows, 'cluster'),
    [shown, order.positions, openRows],
  );
  const unfold = useCallback((group: string) => setOpenColumns((open) => added(open, group, true)), []);
  const toggle = useCallback(
    (section: string, open: boolean) => setOpenRows((before) => added(before, section, open)),
    [],
  );
  return { shown, headers, items, rowCount, order, unfold, toggle };
}

function added(set: ReadonlySet<string>, value: string, present: boolean): ReadonlySet<string> {
  return new Set(present ? [...set, value] : [...set].filter((each) => each !== value));
}

function inOrderOf(rows: readonly WireRow[], positions: readonly RowPosition[]): readonly WireRow[] {
  const byName = new Map(rows.map((row) => [row.cluster, row]));
  return positions.flatMap((position) => byName.get(position.id) ?? []);
}

function byGroup(grid: Grid): readonly RowPosition[] {
  return grid.lines.map((line) => ({ id: line.id, section: line.group, folded: false }));
}

/** Tells by column if all that is seen in it is in order. A column of which nothing is seen is not. */
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

interface FrozenPositions {
  readonly positions: readonly RowPosition[];
  /** Number of rows that would move if the order were set free. */
  readonly moves: number;
  readonly resort: () => void;
}

/** The order of rows; frozen while someone points at it or moves in it. */
function useFrozenPositions(now: readonly RowPosition[], frozen: boolean): FrozenPositions {
  const [shown, setShown] = useState(now);
  const [seen, setSeen] = useState(now);
  let positions = shown;
  if (now !== seen || (!frozen && shown !== now)) {
    positions = frozen ? frozenPositions(shown, now) : now;
    setSeen(now);
    setShown(positions);
  }
  return { positions, moves: frozen ? movesBetween(positions, now) : 0, resort: () => setShown(now) };
}
