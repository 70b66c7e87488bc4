'use client';

import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import type { HeaderItem, Item } from './items.ts';
import type { ColumnWindow } from './line-view.tsx';
import { virtualFrom } from '../sizes.ts';

/** Size that the server draws for before it knows the window. */
const firstView = { width: 1440, height: 900 };

interface RowWindow {
  readonly shown: readonly { readonly item: Item; readonly top: number | null }[];
  /** px of all rows together; null where all are drawn. */
  readonly total: number | null;
}

function scrollerOf(grid: RefObject<HTMLElement | null>): HTMLElement | null {
  return grid.current?.closest<HTMLElement>('.scroller') ?? null;
}

function including(active: number): (range: Range) => number[] {
  return (range) => {
    const indices = defaultRangeExtractor(range);
    if (active < 0 || active >= range.count || indices.includes(active)) return indices;
    return [...indices, active].toSorted((a, b) => a - b);
  };
}

/** The rows to draw: all of up to 40, else those near the window and the one that has the focus. */
export function useRowWindow(grid: RefObject<HTMLElement | null>, items: readonly Item[], active: string): RowWindow {
  const enabled = items.length >= virtualFrom;
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const body = grid.current?.querySelector<HTMLElement>('.m-body');
    const scroller = scrollerOf(grid);
    if (!enabled || body === null || body === undefined || scroller === null) return;
    const top = body.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    setMargin(Math.round(top));
  }, [enabled, grid]);
  // Nothing of the virtualizer is handed on: what is drawn is read from it in every render.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    enabled,
    getScrollElement: () => scrollerOf(grid),
    estimateSize: (index) => items[index]?.height ?? 0,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    initialRect: firstView,
    scrollMargin: margin,
    rangeExtractor: including(items.findIndex((item) => item.key === active)),
  });
  if (!enabled) return { shown: items.map((item) => ({ item, top: null })), total: null };
  const shown = virtualizer.getVirtualItems().flatMap(({ index, start }) => {
    const item = items[index];
    return item === undefined ? [] : [{ item, top: start - margin }];
  });
  return { shown, total: virtualizer.getTotalSize() };
}

/** The columns to draw: all of up to 40, else those near the window and the one that has the focus. */
export function useColumnWindow(
  grid: RefObject<HTMLElement | null>,
  headers: readonly HeaderItem[],
  active: string,
  cellWidth: number,
): ColumnWindow {
  const enabled = headers.length >= virtualFrom;
  // Nothing of the virtualizer is handed on: what is drawn is read from it in every render.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: headers.length,
    enabled,
    getScrollElement: () => scrollerOf(grid),
    estimateSize: () => cellWidth,
    overscan: 12,
    initialRect: firstView,
    rangeExtractor: including(headers.findIndex((header) => header.key === active)),
  });
  const indices = enabled ? virtualizer.getVirtualIndexes().join() : '';
  return useMemo((): ColumnWindow => {
    if (!enabled) return { headers, lefts: null };
    const shown = indices === '' ? [] : indices.split(',').map(Number);
    return { headers: shown.flatMap((index) => headers[index] ?? []), lefts: shown.map((index) => index * cellWidth) };
  }, [enabled, headers, indices, cellWidth]);
}
