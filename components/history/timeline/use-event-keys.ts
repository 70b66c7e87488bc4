'use client';

import type { KeyboardEvent, RefObject } from 'react';

/** Along the events of a lane, and to the nearest in time of the lane before or after. */
export function useEventKeys(
  body: RefObject<HTMLElement | null>,
  onPan: (share: number) => void,
): (event: KeyboardEvent) => void {
  function lanes(): readonly Element[] {
    return [...(body.current?.querySelectorAll('[data-lane]') ?? [])];
  }
  function go(mark: Element | undefined): boolean {
    if (!(mark instanceof HTMLElement)) return false;
    mark.focus();
    return true;
  }
  function across(lane: Element, from: string, step: 1 | -1): boolean {
    const all = lanes();
    for (let at = all.indexOf(lane) + step; at >= 0 && at < all.length; at += step) {
      const events = eventsOf(all[at]);
      const distance = (mark: Element): number => Math.abs(timeOf(mark) - Date.parse(from));
      const [nearest] = events.toSorted((a, b) => distance(a) - distance(b));
      if (nearest !== undefined) return go(nearest);
    }
    return false;
  }
  function move(key: string, mark: Element, lane: Element): boolean {
    const events = eventsOf(lane);
    const at = events.indexOf(mark);
    switch (key) {
      case 'ArrowRight':
        return go(events[at + 1]);
      case 'ArrowLeft':
        return go(events[at - 1]);
      case 'Home':
        return go(events[0]);
      case 'End':
        return go(events.at(-1));
      case 'ArrowDown':
        return across(lane, mark.getAttribute('data-from') ?? '', 1);
      case 'ArrowUp':
        return across(lane, mark.getAttribute('data-from') ?? '', -1);
      default:
        return false;
    }
  }
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
    const mark = event.target.closest('[data-event]');
    const lane = mark?.closest('[data-lane]') ?? null;
    const sideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (sideways && (event.shiftKey || mark === null)) {
      event.preventDefault();
      onPan(event.key === 'ArrowLeft' ? -0.5 : 0.5);
    } else if (mark !== null && lane !== null && !event.shiftKey && move(event.key, mark, lane)) event.preventDefault();
  };
}

function eventsOf(lane: Element | undefined): readonly Element[] {
  return [...(lane?.querySelectorAll('[data-event]') ?? [])];
}

function timeOf(mark: Element): number {
  return Date.parse(mark.getAttribute('data-from') ?? '');
}
