'use client';

import { useRef, type KeyboardEvent, type RefObject } from 'react';

const page = 20;

/** Attributes of a table, or the body of one, so that its rows are walked by keys. */
export interface RowKeys<Body extends HTMLElement> {
  readonly ref: RefObject<Body | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Arrows, Home, End, PageUp and PageDown lead from one row's link to another's: the links inside are what is focused, the
 * arrows are a shorter way between them. `scrollTo` brings a row that is not there into sight.
 */
export function useRowKeys<Body extends HTMLElement>(
  count: number,
  scrollTo: (index: number) => void = () => undefined,
): RowKeys<Body> {
  const body = useRef<Body>(null);
  function focus(index: number, tries = 3): void {
    const link = body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] [data-row-link]`);
    if (link) {
      link.focus();
      return;
    }
    scrollTo(index);
    if (tries > 0) requestAnimationFrame(() => focus(index, tries - 1));
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
    const row = event.target.closest('tr[data-index]');
    const at = Number(row?.getAttribute('data-index') ?? Number.NaN);
    const next = nextIndex(event.key, at, count);
    if (next === null) return;
    event.preventDefault();
    focus(next);
  }
  return { ref: body, onKeyDown };
}

function nextIndex(key: string, at: number, count: number): number | null {
  if (Number.isNaN(at)) return null;
  const to: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  const next = to[key];
  return next === undefined ? null : Math.max(0, Math.min(count - 1, next));
}
