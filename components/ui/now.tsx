'use client';

import { createContext, useContext, useSyncExternalStore, type ReactNode } from 'react';
import { parseTime } from '#lib/format/time.ts';

const Start = createContext(0);

/** Gives the page its first "now": the server's, so that server and browser write the same ages. `asOf` is RFC 3339. */
export function NowProvider({ asOf, children }: { readonly asOf: string; readonly children: ReactNode }) {
  return <Start value={parseTime(asOf) ?? 0}>{children}</Start>;
}

let skew = 0;

/** Tells what the server's clock says now (ms), so that ages do not depend on a reader's clock that runs wrong. */
export function noteServerTime(at: number): void {
  skew = at - Date.now();
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** Milliseconds since the epoch, on the server's clock, moving once a second for all who ask. */
export function useNow(): number {
  const start = useContext(Start);
  return useSyncExternalStore(
    subscribe,
    () => Math.floor((Date.now() + skew) / 1000) * 1000,
    () => start,
  );
}
