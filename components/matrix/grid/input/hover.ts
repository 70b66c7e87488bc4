import { useState, type FocusEvent, type PointerEvent, type RefObject } from 'react';
/** The cell under the pointer or under the focus, kept beside React's state: it changes far more often than the matrix. */
export interface Spotlight {
  get(): Spotted | null;
  by(): SpottedBy;
  set(spotted: Spotted | null, by: SpottedBy): void;
  subscribe(listener: () => void): () => void;
}

/** A cell by the key of its row and the key of its column. */
export interface Spotted {
  readonly item: string;
  readonly header: string;
}

/** Who put the light on it: only a focused cell answers to keys. */
export type SpottedBy = 'pointer' | 'focus';

export function createSpotlight(): Spotlight {
  const listeners = new Set<() => void>();
  let current: Spotted | null = null;
  let source: SpottedBy = 'pointer';
  return {
    get: () => current,
    by: () => source,
    set(spotted, by) {
      if (spotted?.item === current?.item && spotted?.header === current?.header && by === source) return;
      source = by;
      current = spotted;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Which cell an element belongs to, by the marks that rows and cells carry. */
export function spottedAt(target: EventTarget | null): Spotted | null {
  if (!(target instanceof Element)) return null;
  const cell = target.closest('[role=gridcell],[role=rowheader],[role=columnheader]');
  const marked = cell?.matches('[data-h]') === true ? cell : (cell?.querySelector('[data-h]') ?? null);
  const item = target.closest('[data-k]')?.getAttribute('data-k');
  const header = marked?.getAttribute('data-h');
  return item === null || item === undefined || header === null || header === undefined ? null : { item, header };
}

/** The spotlight of a grid, and whether someone points at it or moves in it. */
export function usePointed(grid: RefObject<HTMLElement | null>) {
  const [spotlight] = useState(createSpotlight);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);

  function handlers(onFocusAt: (at: Spotted) => void) {
    return {
      onFocus(event: FocusEvent) {
        const at = spottedAt(event.target);
        setFocused(true);
        spotlight.set(at, 'focus');
        if (at !== null) onFocusAt(at);
      },
      onBlur(event: FocusEvent) {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setFocused(false);
        spotlight.set(null, 'focus');
      },
      onPointerEnter: (event: PointerEvent) => setPointed(event.pointerType === 'mouse'),
      onPointerLeave() {
        const inside = grid.current?.contains(document.activeElement) === true;
        setPointed(false);
        spotlight.set(spottedAt(inside ? document.activeElement : null), 'focus');
      },
      onPointerOver: (event: PointerEvent) => spotlight.set(spottedAt(event.target), 'pointer'),
    };
  }

  return { spotlight, held: pointed || focused, handlers };
}
