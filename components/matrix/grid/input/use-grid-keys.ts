'use client';

import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react';
import { nextDeviation, type Deviation } from './deviations.ts';
import type { Spotted } from './hover.ts';

interface GridKeys {
  readonly grid: RefObject<HTMLElement | null>;
  /** Keys of the rows that can be stopped at, from the headers down. */
  readonly rows: readonly string[];
  /** Keys of the columns, 'name' first. */
  readonly columns: readonly string[];
  readonly deviations: () => readonly Deviation[];
  readonly commitAt: (at: Spotted) => string | null;
  readonly go: (href: string) => void;
}

/** The one tab stop of the grid and how keys move it. */
export function useGridKeys({ grid, rows, columns, deviations, commitAt, go }: GridKeys) {
  const [chosen, setActive] = useState<Spotted | null>(null);
  const [asked, setAsked] = useState(0);
  const active = settle(chosen, rows, columns);

  useEffect(() => {
    if (asked === 0) return;
    const row = marked(grid.current, 'data-k', active.item);
    const target = marked(row, 'data-h', active.header) ?? row?.querySelector('[data-h]');
    if (!(target instanceof HTMLElement)) return;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // Once for each key; what happens to the grid meanwhile must not steal the focus.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [asked]);

  function goTo(next: Spotted): void {
    setActive(next);
    setAsked(asked + 1);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    if (event.key === 'Enter' && event.shiftKey) {
      const href = commitAt(active);
      event.preventDefault();
      if (href !== null) go(href);
      return;
    }
    const next = step(event.key, event.ctrlKey);
    if (next === null) return;
    event.preventDefault();
    goTo(next);
  }

  /** To the next deviation, or with -1 to the one before. */
  function jump(by: 1 | -1): void {
    const at = nextDeviation(deviations(), { line: active.item, header: active.header }, by);
    if (at !== null) goTo({ item: at.line, header: at.header });
  }

  function step(key: string, ctrl: boolean): Spotted | null {
    const from = { row: rows.indexOf(active.item), column: Math.max(0, columns.indexOf(active.header)) };
    const to = moved(from, key, ctrl, rows.length, columns.length);
    const item = to === null ? undefined : rows[to.row];
    const header = to === null ? undefined : columns[to.column];
    return item === undefined || header === undefined ? null : { item, header };
  }

  return { active, setActive, onKeyDown, jump };
}

/** The element in `within` that carries this mark; names may hold any letter, so no selector is made of them. */
function marked(within: Element | null, attribute: 'data-k' | 'data-h', value: string): Element | null {
  const all = within?.querySelectorAll(`[${attribute}]`) ?? [];
  return [...all].find((element) => element.getAttribute(attribute) === value) ?? null;
}

/** Where Tab comes to: the cell chosen last while it is there, else the first row's header. */
function settle(chosen: Spotted | null, rows: readonly string[], columns: readonly string[]): Spotted {
  if (chosen !== null && rows.includes(chosen.item) && columns.includes(chosen.header)) return chosen;
  return { item: rows[1] ?? rows[0] ?? '', header: columns[0] ?? '' };
}

/** A place in the grid: row and column from 0; column 0 is the header of the row, row 0 the headers of the columns. */
interface Spot {
  readonly row: number;
  readonly column: number;
}

const pageRows = 10;

/** Where a key leads from a place (WAI-ARIA grid pattern); null where the key is not for moving. */
export function moved(at: Spot, key: string, ctrl: boolean, rows: number, columns: number): Spot | null {
  const to = target(at, key, ctrl, rows - 1, columns - 1);
  if (to === null) return null;
  return { row: clamp(to.row, rows - 1), column: clamp(to.column, columns - 1) };
}

function target({ row, column }: Spot, key: string, ctrl: boolean, lastRow: number, lastColumn: number): Spot | null {
  switch (key) {
    case 'ArrowUp':
      return { row: ctrl ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: ctrl ? lastRow : row + 1, column };
    case 'ArrowLeft':
      return { row, column: ctrl ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: ctrl ? lastColumn : column + 1 };
    case 'Home':
      return { row: ctrl ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrl ? lastRow : row, column: lastColumn };
    case 'PageUp':
      return { row: row - pageRows, column };
    case 'PageDown':
      return { row: row + pageRows, column };
    default:
      return null;
  }
}

function clamp(value: number, last: number): number {
  return Math.min(Math.max(value, 0), Math.max(last, 0));
}
