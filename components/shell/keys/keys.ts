'use client';

import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

/** Actions of keys on every page: one key ("/"), or two in a row ("g f"). */
export type KeyTable = Readonly<Record<string, () => void>>;

const chordTime = 1000;

function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Listens for single keys, except where text is being written, with a modifier, inside a dialog or a menu, or when they are switched off. */
export function useKeys(table: KeyTable): void {
  const press = useEffectEvent((chord: string): boolean => {
    const action = table[chord];
    action?.();
    return action !== undefined;
  });
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | null = null;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return;
      if (!singleKeysOn()) return;
      if (event.target instanceof Element && event.target.closest('[role=dialog],[role=menu]') !== null) return;
      const chord = first !== null && event.timeStamp - first.at < chordTime ? `${first.key} ${event.key}` : event.key;
      first = event.key === 'g' ? { key: 'g', at: event.timeStamp } : null;
      if (press(chord)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

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
function singleKeysOn(): boolean {
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
