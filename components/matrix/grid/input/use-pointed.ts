import { useState, type FocusEvent, type PointerEvent, type RefObject } from 'react';
import { createSpotlight, spottedAt, type Spotted } from './hover.ts';

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
