'use client';

import { useRef, useState, type MouseEvent, type PointerEvent } from 'react';
import type { Period } from '#lib/domain/record/span.ts';

/** Stretch being drawn on the lanes, in shares of their width. */
export interface Drawn {
  readonly from: number;
  readonly to: number;
}

const least = 6;

/** Draws a period with the pointer: what is left then is chosen. A press without a move stays a click. */
export function useDrag(period: Period, onChoose: (period: Period) => void) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const start = useRef<{ readonly x: number; readonly left: number; readonly width: number } | null>(null);
  const moved = useRef(false);

  function shares(x: number): Drawn | null {
    const begun = start.current;
    if (begun === null || begun.width === 0) return null;
    const share = (at: number): number => Math.min(1, Math.max(0, (at - begun.left) / begun.width));
    const [a, b] = [share(begun.x), share(x)];
    return { from: Math.min(a, b), to: Math.max(a, b) };
  }

  return {
    drawn,
    handlers: {
      onPointerDown(event: PointerEvent) {
        moved.current = false;
        const track = event.target instanceof Element ? event.target.closest('[data-track]') : null;
        if (event.button !== 0 || track === null) return;
        const { left, width } = track.getBoundingClientRect();
        start.current = { x: event.clientX, left, width };
      },
      onPointerMove(event: PointerEvent) {
        const begun = start.current;
        if (begun === null || (!moved.current && Math.abs(event.clientX - begun.x) < least)) return;
        if (!moved.current) event.currentTarget.setPointerCapture(event.pointerId);
        moved.current = true;
        setDrawn(shares(event.clientX));
      },
      onPointerUp(event: PointerEvent) {
        const found = moved.current ? shares(event.clientX) : null;
        start.current = null;
        setDrawn(null);
        if (found === null || found.to <= found.from) return;
        const length = period.to - period.from;
        onChoose({ from: period.from + found.from * length, to: period.from + found.to * length });
      },
      onPointerCancel() {
        start.current = null;
        moved.current = false;
        setDrawn(null);
      },
      // The press that has drawn a period opens nothing.
      onClickCapture(event: MouseEvent) {
        if (!moved.current) return;
        moved.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
