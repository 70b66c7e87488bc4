'use client';

import { useSyncExternalStore } from 'react';

const name = 'plumbline.single-keys';
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): boolean {
  try {
    return localStorage.getItem(name) !== 'off';
  } catch {
    // Storage can be forbidden; the keys then work, and the switch holds as long as the page.
    return true;
  }
}

let on: boolean | null = null;

/** True if single keys do anything (WCAG 2.1.4: they can be switched off). */
export function singleKeysOn(): boolean {
  on ??= read();
  return on;
}

/** Switches single keys on or off, for this browser. */
export function setSingleKeys(next: boolean): void {
  on = next;
  try {
    localStorage.setItem(name, next ? 'on' : 'off');
  } catch {
    // Nothing to keep it in.
  }
  for (const listener of listeners) listener();
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, singleKeysOn, () => true);
}
