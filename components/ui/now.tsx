'use client';

import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { parseTime } from '#lib/format/time.ts';

const Start = createContext({ at: 0, still: false });

interface NowProviderProps {
  /** RFC 3339. */
  readonly asOf: string;
  /** Time stands there: the page shows a past moment. */
  readonly still?: boolean;
  readonly children: ReactNode;
}

/** Gives the page its first "now": the server's, so that server and browser write the same ages. */
export function NowProvider({ asOf, still = false, children }: NowProviderProps) {
  const start = useMemo(() => ({ at: parseTime(asOf) ?? 0, still }), [asOf, still]);
  return <Start value={start}>{children}</Start>;
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

function never(): () => void {
  return () => {};
}

/** Milliseconds since the epoch, on the server's clock, moving once a second for all who ask; still on a page of the past. */
export function useNow(): number {
  const { at, still } = useContext(Start);
  return useSyncExternalStore(
    still ? never : subscribe,
    () => (still ? at : Math.floor((Date.now() + skew) / 1000) * 1000),
    () => at,
  );
}
