'use client';

import { useEffect, useEffectEvent } from 'react';
import { singleKeysOn } from './key-setting.ts';

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
